// What must come before what in every interleaving with the given reads-from: inference rules on vector clocks, to a fixed point.
//
//   po, create, join, rf, wakes, explicit modification order   are given
//   mo   w' comes before a read r of w   =>   w' before w         (w, w' write to the same location)
//   fr   w comes before w'               =>   r before w'
//
// Entry t of an operation's row counts the operations of thread t that come before it, itself included. So a rule need only look at
// the last write of each thread that is before, and at the last reader in each thread: all others follow by program order. A cycle
// shows when a row reaches back to its own operation. No cycle proves nothing yet: the order of two writes may still be open
// (sc_equivalence.h).
//
//   P0: x = 1; y = 1          P1: reads y = 1, then x = 0
//   x = 0 is the initial write, which is before x = 1: fr leads from its read to x = 1; po, rf, po lead back to the read.
//
// P. Ou, B. Demsky: AutoMO (OOPSLA 2015), section 5. We keep why each order was inferred, to explain a cycle. About
// O(operations * (threads + edges)) when operations are looked at in an order that is nearly an interleaving, which the caller gives.
#pragma once

#include <span>
#include <vector>

#include "analysis/operations.h"
#include "base/vector_clock.h"

namespace ordeal::analysis {

enum class ScEdgeKind : std::uint8_t {
  kPo,
  kCreate,
  kJoin,
  kRf,
  kWake,
  kMo,       // given, or inferred: `because` of the read that would otherwise read `from`
  kFr,       // `because` of the write that is read, which is before `to`
  kAssumed,  // one of two orders of writes: both were tried
};

struct ScEdge {
  OperationId from = 0;
  OperationId to = 0;
  ScEdgeKind kind = ScEdgeKind::kPo;
  OperationId because = kNoOperation;
  bool operator==(const ScEdge&) const = default;
};

class Inference {
 public:
  /// `order`: all operations, in the order to look at them.
  void begin(const Operations& operations, std::span<const OperationId> order);
  /// Before `run`: one more order that holds.
  void assume(OperationId before, OperationId behind) { add({before, behind, ScEdgeKind::kAssumed}); }
  /// Infers all that can be. False: there is a cycle.
  bool run();
  /// How many operations were looked at; for limits.
  std::size_t steps() const { return steps_; }

  const base::ClockEntry* row(OperationId id) const { return rows_.data() + static_cast<std::size_t>(id) * static_cast<std::size_t>(width_); }
  bool is_before(OperationId a, OperationId b) const { return row(b)[(*operations_)[a].thread] > (*operations_)[a].index; }
  /// The first write left to the location of `write` that need not come behind it; `done`: by thread. kNoOperation: there is none.
  OperationId first_not_behind(OperationId write, std::span<const std::int32_t> done) const;

  struct Explanation {
    std::vector<ScEdge> cycle;    // a short one, from an operation round to it again; po edges that follow each other are one
    /// By edge of the cycle, of those with kind kFr: how what is read comes before what overwrites it. Empty: it is the initial value.
    std::vector<std::vector<ScEdge>> ways;
    std::vector<ScEdge> reasons;  // all inferred and assumed edges that it needs, each behind those that it follows from
  };
  /// REQUIRES: `run` found a cycle.
  Explanation explain() const;

 private:
  struct Writes {  // of one thread to one location: a part of `writes_`
    std::int32_t thread, first, end;
  };
  struct Link {
    ScEdge edge;
    std::int32_t next_in, next_out;  // the next edge to the same operation, from the same; -1: none
  };
  void add(const ScEdge& edge);
  void add_given();
  void add_explicit_mo();
  void link_readers();
  void sort_writes();
  bool look_at(OperationId id);
  bool learn(OperationId id, OperationId from, bool& changed);
  void order_writes_before(OperationId read);
  void order_readers_before(OperationId write);
  std::int32_t place_from(const Writes& writes, std::int32_t index) const;
  /// The last write of a thread before `bound`; kNoOperation: none.
  OperationId last_write(const Writes& writes, std::int32_t bound) const;
  std::span<const Writes> writes_to(std::int32_t location) const;
  void mark(OperationId id);
  OperationId take_marked();
  OperationId previous(OperationId id) const;
  OperationId& first_reader(OperationId write) { return first_reader_[static_cast<std::size_t>(write + operations_->locations)]; }

  std::vector<ScEdge> closed_path() const;
  std::vector<ScEdge> way_of(const ScEdge& edge) const;
  /// A shortest path, po edges not counted, over links below `limit`; empty: `from` is `to`, or there is none.
  std::vector<ScEdge> path(OperationId from, OperationId to, std::size_t limit) const;
  void collect(std::size_t link, std::vector<char>& is_needed) const;
  void collect(std::span<const ScEdge> edges, std::size_t limit, std::vector<char>& is_needed) const;

  const Operations* operations_ = nullptr;
  int width_ = 0;
  std::size_t steps_ = 0;
  std::vector<base::ClockEntry> rows_;
  std::vector<Link> links_;
  std::vector<std::int32_t> first_in_, first_out_;  // by operation
  std::vector<OperationId> first_reader_;           // by write, initial ones first: the last readers in each thread …
  std::vector<OperationId> next_reader_;            // … linked
  std::vector<OperationId> writes_;                 // by location, thread, index
  std::vector<Writes> segments_;
  std::vector<std::int32_t> first_segment_;         // by location
  std::vector<OperationId> order_;
  std::vector<std::int32_t> place_;                 // in `order_`
  std::vector<std::uint64_t> marked_;               // a bit for each place: to be looked at (again)
  std::size_t lowest_ = 0;                          // no word below is set
  ScEdge closing_;                                    // of a cycle
};

}  // namespace ordeal::analysis
