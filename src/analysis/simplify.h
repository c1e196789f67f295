// In which order an execution is shown, and which of its reads are surprising in that order: the one place that decides it.
//
// If it is an interleaving (sc_equivalence.h), that: then nothing is surprising. Otherwise an order that is mostly one (mostly_sc.h), and
// keeps what the model orders: happens-before, and seq_cst operations as far as their order is forced. Of all orders that show the same,
// one with few changes of thread: it stays with a thread as long as it can.
//
// AutoMO, OOPSLA 2015, section 6. Traces of any length; what is too long for the model's graph (graph_of_trace.h) is shown without the
// order of seq_cst operations.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/edge.h"
#include "analysis/sc_equivalence.h"
#include "trace/trace.h"

namespace ordeal::analysis {

/// An event comes before another in every interleaving, and why.
struct CycleStep {
  EventIndex from = kNoEvent;
  EventIndex to = kNoEvent;
  ScEdgeKind kind = ScEdgeKind::kPo;
  /// Of kFr, if it is not plain to see: how the write that `from` reads comes before `to`.
  std::vector<CycleStep> way;
};

struct ShownOrder {
  std::vector<std::size_t> events;      // all, as indices of trace.events; the two of a read-modify-write are neighbours
  Sc sc = Sc::kUndecided;               // kYes: the order is an interleaving
  std::vector<CycleStep> cycle;         // kNo: why; each step begins where the one before ends
  bool cycle_is_one_case = false;       // see Cycle
  /// By event: of a surprising read the last write of its location above it, which it does not read; of all others kNoEvent.
  std::vector<EventIndex> expected;
};

ShownOrder simplify(const trace::Trace& trace);

}  // namespace ordeal::analysis
