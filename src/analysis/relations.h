// The relations of an execution as arrows between events of its trace.
//
//   po   neighbours in a thread
//   rf   from the write to the read; also to a wake, from the write that woke the thread
//   mo   neighbours in one modification order that the model allows, each forced or chosen (mo_completion.h)
//   fr   from a read to the write that follows, in that order, what it reads; not to the write of its own read-modify-write
//   sw   synchronises-with, [atomics.order]p2, [atomics.fences], [thread.thread.constr], [thread.thread.member]: from the release store,
//        or the last release fence before a store, to the acquire load, or the first acquire fence behind a load; along release
//        sequences from each of their stores that releases; from a creation to the first event of the thread, from the last to
//        the join. A creation leads to the join of a thread without events
//   hb   the transitive reduction: the fewest arrows from which happens-before follows
//
// Of initial writes no arrow leads anywhere but by `choices`.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/candidates.h"
#include "analysis/edge.h"
#include "analysis/graph_of_trace.h"

namespace ordeal::analysis {

struct Relations {
  Standing standing = Standing::kConsistent;  // if it is another: what cannot be told is empty
  std::vector<Edge> po, rf, sw, hb;
  std::vector<OrderEdge> mo, fr;
  std::vector<ReadChoices> choices;           // of the reads, in the order of the trace
  bool leaves_choices_out = false;            // there are too many events to look at each read
};

Relations relations(const trace::Trace& trace);

/// As they are in a graph of which the clocks are known.
std::vector<Edge> synchronises_with(const model::ExecutionGraph& graph);

}  // namespace ordeal::analysis
