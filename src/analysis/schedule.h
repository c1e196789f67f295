// Operations one behind the other, so that every read reads the last write before it: by going on with any thread that can.
//
// A read can go on when what it reads is in memory; a write when nobody is left who has still to read what is there. Such a step is
// mostly *safe*: if some interleaving of the rest exists, one exists that begins with it.
//   a read, an update  whatever else is left must come behind it
//   a write            that nobody reads; or that all other writes left to its location are known to come behind: it is the last one, or
//                      they are later in its own thread
// A thread that gets stuck after safe steps only proves that there is no interleaving. What is left are writes that others could come
// before. One of them is taken, and then being stuck proves nothing.
//
// O(operations * threads) at worst, mostly O(operations). Storage is kept between runs.
#pragma once

#include <utility>
#include <vector>

#include "analysis/inference.h"
#include "analysis/operations.h"

namespace ordeal::analysis {

class Schedule {
 public:
  /// True: all operations are in `order()`. With `known`, operations come behind all that must be before them.
  bool run(const Operations& operations, const Inference* known = nullptr);
  /// Having got stuck: goes on against what was read, until all operations are in `order()`. Few of them then stand wrongly.
  void run_on();
  const std::vector<OperationId>& order() const { return order_; }
  /// Every step was safe.
  bool is_certain() const { return is_certain_; }
  /// Having got stuck after safe steps, without `known`: operations that wait for each other in a circle. Any beginning of the execution
  /// (with each operation all that it depends on) that has them is no interleaving either: without the rest the steps up to here are
  /// possible and safe, too, and lead to the same circle. Empty: not known.
  std::vector<OperationId> waiting_in_a_circle() const;
  /// With `known`: the first step that was not safe, and a write that could have come before.
  std::pair<OperationId, OperationId> first_doubt() const { return first_doubt_; }

 private:
  void prepare();
  bool run_safe_steps();
  OperationId take_doubtful();
  bool can_go_on(OperationId id) const;
  bool has_known_before(OperationId id) const;
  bool is_readable(const Operation& operation) const;
  bool can_write(const Operation& operation, std::int32_t readers) const;
  bool is_safe(OperationId id);
  OperationId awaited_by(int thread) const;
  OperationId other_reader(OperationId write, OperationId reader) const;
  void execute(OperationId id);
  OperationId next(int thread) const {
    const std::int32_t place = done_[static_cast<std::size_t>(thread)];
    const auto mine = operations_->of_thread(thread);
    return static_cast<std::size_t>(place) < mine.size() && has_begun_[static_cast<std::size_t>(thread)] ? mine[static_cast<std::size_t>(place)] : kNoOperation;
  }
  bool is_done(OperationId id) const { return id < 0 || done_[static_cast<std::size_t>((*operations_)[id].thread)] > (*operations_)[id].index; }
  /// How many have still to read a write, which may be an initial one.
  std::int32_t& readers_left(OperationId write) { return readers_left_[static_cast<std::size_t>(write + operations_->locations)]; }
  std::int32_t readers_left(OperationId write) const { return readers_left_[static_cast<std::size_t>(write + operations_->locations)]; }

  const Operations* operations_ = nullptr;
  const Inference* known_ = nullptr;
  std::vector<OperationId> order_;
  std::vector<std::int32_t> done_;          // by thread: how many
  std::vector<char> has_begun_;             // by thread
  std::vector<OperationId> memory_;         // by location: the last write
  std::vector<std::int32_t> written_;       // by location: how many writes are done
  std::vector<std::int32_t> writes_left_;   // by location
  std::vector<std::int32_t> later_here_;    // of a write: how many of its thread to its location come later
  std::vector<std::int32_t> readers_left_;  // by write, initial ones first
  int thread_ = 0;                          // that went on last
  bool is_certain_ = true;
  bool is_forced_ = false;                  // in `run_on`: who reads what was overwritten goes on
  OperationId rival_ = kNoOperation;
  std::pair<OperationId, OperationId> first_doubt_;
};

}  // namespace ordeal::analysis
