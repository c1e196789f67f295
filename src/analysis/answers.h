// What a report asks of an execution, in one place: its graph is built once.
#pragma once

#include <optional>
#include <span>

#include "analysis/chain.h"
#include "analysis/repair.h"
#include "analysis/spot.h"

namespace ordeal::analysis {

class Answers {
 public:
  explicit Answers(const trace::Trace& trace) : trace_(trace), of_trace_(trace) {}

  /// False: the trace is not one that its model allows, or too large. Then nothing is known, and all below is empty.
  bool is_known() const { return of_trace_.is_consistent(); }
  bool happens_before(const Spot& first, const Spot& second) const {
    return are_in(first, second) && analysis::happens_before(graph(), first, second);
  }
  Chain chain(const Spot& from, const Spot& to) const { return are_in(from, to) ? find_chain(graph(), from, to) : Chain(); }
  CutSequence cut_sequence(const Spot& from, const Spot& to) {
    return are_in(from, to) && !of_trace_.consistency().mo_is_explicit() ? find_cut_sequence(graph(), from, to) : CutSequence();
  }
  /// Whether one write is before another of its location in every modification order.
  bool is_before(EventIndex write, EventIndex other) const;
  std::optional<Repair> repair(std::span<const int> sites, const std::optional<RacingSpots>& race, std::span<const EventIndex> blamed) const {
    return is_known() ? find_repair(trace_, sites, race, blamed) : std::nullopt;
  }

 private:
  const model::ExecutionGraph& graph() const { return of_trace_.graph(); }
  bool are_in(const Spot& first, const Spot& second) const { return is_known() && is_in(graph(), first) && is_in(graph(), second); }

  const trace::Trace& trace_;
  GraphOfTrace of_trace_;
};

}  // namespace ordeal::analysis
