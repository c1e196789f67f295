// One modification order that the model allows, and which of it is forced.
//
// In cpp20 and rc11 modification order is a set of constraints (model/modification_order.h): any order of the writes that respects them,
// and with which the seq_cst axiom holds, is as good as any other. The one in which writes stand in the trace is tried first. If seq_cst
// forbids it, orders between chains of writes are decided one pair after the other, each as in the trace if that is consistent.
// An adjacent pair is forced if the model forbids the other order.
//
// Cost: O(w²) for w writes of a location, and a check of seq_cst for each adjacent pair that constraints leave open. In an execution with
// very many of these (kMostChecks) the rest counts as chosen.
#pragma once

#include <vector>

#include "analysis/edge.h"
#include "analysis/graph_of_trace.h"

namespace ordeal::analysis {

struct OrderOfWrites {
  std::vector<EventIndex> writes;     // of one location, the initial one left out
  std::vector<Necessity> necessity;   // of writes[i] before writes[i + 1]
};

/// By location. REQUIRES: the graph is consistent. It is as before afterwards.
std::vector<OrderOfWrites> complete_modification_order(GraphOfTrace& of_trace);

}  // namespace ordeal::analysis
