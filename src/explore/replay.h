// Replay: one execution again, from its list of choices (its unit of work).
//
// The list is in insertion order. After a revisit that is no order of execution: a read may stand in it before the
// write that it reads. So each thread takes its own choices one after the other, and waits while the write that it is
// to read is not there yet. Whichever thread goes first, the graph is the same, because nothing names an event but
// (thread, index). Stamps are the places in the list.
//
// A read with load buffering (load_buffering.h) does not wait: it gets the value promised, and the write that the list names
// must keep the promise.
//
// A thread without choices left that waits, at a lock or for a value, must still have to wait when all others are done.
//
// Example, x=1 ∥ r=x with a revisit:    0: thread 1 reads from event 0 of thread 0      1: thread 0 steps
// Thread 1 must wait, thread 0 stores, thread 1 loads; the load gets stamp 0, the store stamp 1.
//
// With explicit modification order a write's choice is its position among all writes of the list. It is put behind
// those writes that are there and have a lower one.
//
// A list need not fit the program: it was made by another build, or damaged. Every choice is checked before it is used,
// and the graph is checked against the model as it grows, so a wrong list ends in a ReplayError and never in a wrong
// graph. Cost: that of one execution.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/choice.h"
#include "engine/decider.h"
#include "model/consistency.h"

namespace ordeal::explore {

/// The list does not fit the program.
class ReplayError : public std::runtime_error {
 public:
  ReplayError(std::size_t place_in_list, const std::string& message)
      : std::runtime_error(message), place(place_in_list) {}
  std::size_t place;  // of the first choice that did not fit; the length of the list: a choice is missing
};

class Replay final : public engine::Decider {
 public:
  enum class Rest : std::uint8_t {
    kNone,  // the list is a whole execution: no thread may go on behind it
    kOpen,  // the list is the beginning of executions: threads stop where it ends
    kBug,   // likewise, and there is a bug in it: a thread that runs into that comes no further
  };
  Replay(model::Model model, engine::UnitOfWork list, Rest rest = Rest::kNone);

  model::ExecutionGraph& graph() override { return graph_; }
  bool advance() override;
  void set_useless_values(const model::UselessValues* values) { consistency_.set_useless_values(values); }
  /// Locations are numbered as threads come to them, which may be in another order than when the list was made.
  void let_numbers_of_locations_differ() { locations_may_differ_ = true; }
  bool can_go_on(const engine::Operation& operation) override;
  bool decide(const engine::Operation& operation) override;
  bool knows_more_of(model::ThreadId thread) override;
  bool can_end(std::span<const engine::Operation> waiting) override;

  model::Consistency& consistency() { return consistency_; }

 private:
  using Place = std::size_t;  // in the list
  /// What a thread has to do: `places` of its choices; those before `next` are done, and their events are at `slots`.
  struct Script {
    std::vector<Place> places;
    std::size_t next = 0;
    std::vector<model::Slot> slots;
  };

  const engine::Choice& choice(Place place) const { return list_[place]; }
  /// The thread's script, or none if the list has no choice of it.
  Script* script_of(model::ThreadId thread);
  /// The place of the next choice of the operation's thread, which must be of one of these kinds.
  Place take(const engine::Operation& operation, engine::ChoiceKind kind, engine::ChoiceKind or_kind);
  Place take(const engine::Operation& operation, engine::ChoiceKind kind) { return take(operation, kind, kind); }
  void read(const engine::Operation& operation);
  void read_promised(const engine::Operation& operation, Place place);
  /// The write on top may be one that reads have been waiting for.
  void keep_promises();
  int variant(Place place, const model::Access& access, model::Slot from) const;
  void check_source(Place place, const engine::Operation& operation, model::Slot from) const;
  void wake(const engine::Operation& operation);
  void write(const engine::Operation& operation, model::Event event);
  void add(const engine::Operation& operation, Place place, model::EventKind kind, model::Value value);
  void choose(const engine::Operation& operation);
  /// Pushes the event; `place` is that of its choice.
  void push(model::Event event, Place place);
  bool is_there(const engine::Choice& reads_from);
  model::Slot source(Place place, const model::Access& access);
  /// Where a write goes whose position among all writes of the list is given at `place`.
  int mo_position(Place place, model::LocationId location) const;
  void check_mo_positions() const;
  [[noreturn]] void fail(Place place, const std::string& why) const;
  [[noreturn]] void fail_short(const engine::Operation& operation) const;

  model::Consistency consistency_;
  model::ExecutionGraph graph_;
  engine::UnitOfWork list_;
  Rest rest_;
  std::map<model::ThreadId, Script> scripts_;
  std::vector<model::Slot> promises_;  // reads whose writes have not come yet
  bool locations_may_differ_ = false;
  bool started_ = false;
};

}  // namespace ordeal::explore
