// Clocks and modification-order constraints of a whole graph, from their definitions.
//
// Elsewhere both are kept up to date event by event, which relies on slots that respect rf. With load buffering a read may
// stand before the write that it reads: then nothing is final when an event is pushed, and all is computed anew. It is also
// the plain definition that tests compare the incremental code with.
#pragma once

#include "model/execution_graph.h"

namespace ordeal::model {

/// Recomputes hb, release and shb rows as the least fixed point. False: some event happens before one in a lower slot, so
/// the slots are not an order of execution.
bool recompute_clocks(ExecutionGraph& graph);

/// Recomputes chains and kMo rows. Reads without a source (promises) say nothing. False: coherence or atomicity is broken.
bool recompute_modification_order(ExecutionGraph& graph);

/// Whether po ∪ rf is acyclic.
bool is_porf_acyclic(const ExecutionGraph& graph);

}  // namespace ordeal::model
