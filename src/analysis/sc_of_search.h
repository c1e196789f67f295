// The same question as in sc_equivalence.h, of one execution after the other, as a search visits them.
//
// An execution that is no interleaving mostly shows it early: some of its events, and all that they depend on, are none already, and so is
// whatever goes on from there. A search goes on from there often. So the beginnings that proved to be weak are kept, the last few, by
// the serial of their last event; two graphs that have it in the same slot are equal up to there (model/event.h).
//
//   P0: x = 1; y = 1; …          P1: reads y = 1, then x = 0; …
//   whatever the two do then: message passing that went wrong is no interleaving
//
// What is kept holds only where slots respect reads-from (not with load buffering) and modification order is not explicit.
#pragma once

#include <array>

#include "analysis/sc_equivalence.h"

namespace ordeal::analysis {

class ScOfSearch {
 public:
  ScOfSearch() { equivalence_.set_moving_back(true); }
  Sc decide(const model::ExecutionGraph& graph) {
    if (begins_weakly(graph)) {
      ++spared_;
      return Sc::kNo;
    }
    operations_.assign(graph);
    const Sc answer = equivalence_.decide(operations_);
    if (answer == Sc::kNo && operations_.is_settled()) keep(graph, equivalence_.last_needed());
    return answer;
  }
  /// How many executions began as one before, and were not looked at.
  std::size_t spared() const { return spared_; }

 private:
  struct Beginning {
    std::int32_t last = -1;
    std::uint64_t serial = 0;
  };
  bool begins_weakly(const model::ExecutionGraph& graph) const {
    for (const Beginning& known : known_)
      if (known.last >= 0 && known.last < graph.size() && graph.event(model::Slot{known.last}).serial == known.serial) return true;
    return false;
  }
  void keep(const model::ExecutionGraph& graph, std::int32_t last) {
    known_[next_] = {last, graph.event(model::Slot{last}).serial};
    next_ = (next_ + 1) % known_.size();
  }

  Operations operations_;
  ScEquivalence equivalence_;
  std::array<Beginning, 16> known_;
  std::size_t next_ = 0;
  std::size_t spared_ = 0;
};

}  // namespace ordeal::analysis
