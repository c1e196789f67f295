// Atomicity, [atomics.order]p10: an RMW reads the last value before its write in modification order.
//
// RMWs extend chains (modification_order.h), so this is all there is: a write can be built upon once.
#pragma once

#include "model/execution_graph.h"

namespace ordeal::model {

/// Whether no RMW has built upon `write` yet.
inline bool may_be_built_upon(const ExecutionGraph& graph, Slot write) {
  return graph.event(graph.event(write).chain_head).chain_tail == write;
}

}  // namespace ordeal::model
