// A witness of the seq_cst axiom, and how far it reaches: most checks need no solver (seq_cst.h).
//
// A witness is one modification order, together with a rank for each seq_cst event such that every edge of psc leads to a
// higher rank; so psc is acyclic. An event just pushed comes before nothing in hb. It extends the witness
//
//   a write   as the last in modification order, with a rank above all that comes before it;
//   a read    if the order between writes that it forced is the witness's, with a rank between what comes before the read and
//             what comes after it, the accesses to later writes of the location. If there is no such rank, what comes after
//             the read is moved up, with all that is behind it (after Pearce and Kelly 2007).
//
// With seq_cst fences in the graph (other events come before and after them too) only events that come before nothing extend
// it: writes, and reads of the last write. What does not fit may be consistent by another witness: the solver finds it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "model/execution_graph.h"
#include "model/seq_cst_edges.h"

namespace ordeal::model {

class SeqCstWitness {
 public:
  explicit SeqCstWitness(SeqCstRules rules) : rules_(rules) {}

  /// Whether the witness of a smaller graph reaches to this one. False: not known.
  bool extend(ExecutionGraph& graph);
  /// The same by moving ranks, if that could help where `extend` has just failed.
  bool make_room(ExecutionGraph& graph);

 private:
  /// The new event's rank must be between these.
  struct Bounds {
    std::int32_t low, high;
    void above(std::int32_t rank) { low = std::max(low, rank); }
    void below(std::int32_t rank) { high = std::min(high, rank); }
  };
  class Step;

  SeqCstRules rules_;
  bool lacks_room_ = false;  // the event that did not fit has its place in modification order, but no rank is left for it
  Bounds bounds_{};          // of that event
  // Of the events that are moved up:
  std::vector<Slot> moved_;
  std::vector<ClockEntry> first_moved_;   // thread → the index of its first
  std::vector<std::int32_t> least_place_; // location → the least place of its accesses
  std::vector<InWitness> moved_up_;       // the witness then
};

/// Makes the solver's answer a witness: the order of writes is the one forced in the graph, any that extends it.
class WitnessBuilder {
 public:
  /// `before`: for each seq_cst event the number of those before it.
  std::span<const InWitness> build(const ExecutionGraph& graph, std::span<const int> before);

 private:
  struct Chain {
    int writes;  // up to its end
    Slot head;
    int length;
  };
  void order(const ExecutionGraph& graph, LocationId location);
  InWitness& at(Slot slot) { return events_[static_cast<std::size_t>(number(slot))]; }

  std::vector<InWitness> events_;
  std::vector<Chain> chains_;
};

}  // namespace ordeal::model
