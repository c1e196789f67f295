// No values out of thin air, [atomics.order]p8, strengthened: `po ∪ rf` is acyclic.
//
// It holds by construction. A read is pushed with a source that is in the graph already, and slots respect po ∪ rf (G1).
// When a new write revisits an earlier read, the read must not be among what the write depends on: that is this test.
// (`--load-buffering` replaces the axiom by certified promises: explore/load_buffering.h.)
#pragma once

#include "model/execution_graph.h"

namespace ordeal::model {

/// Whether `read` may read from `write`, which comes later, without a cycle in po ∪ rf.
inline bool may_read_later_write(const ExecutionGraph& graph, Slot read, Slot write) {
  return !graph.porf_before(read, write);
}

}  // namespace ordeal::model
