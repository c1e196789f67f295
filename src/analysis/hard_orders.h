// What the order in which an execution is shown must keep: happens-before, and the order of seq_cst operations as far as it is forced.
//
// Happens-before is a part of program order, creations, joins and reads-from. So as long as these, with the order of seq_cst operations,
// have no cycle, every read is shown behind what it reads, and happens-before needs no further look. Otherwise reads may be shown
// before what they read, and what happens before what is taken from the graph.
#pragma once

#include <utility>
#include <vector>

#include "analysis/graph_of_trace.h"
#include "analysis/operations.h"

namespace ordeal::analysis {

/// Beside program order, creations and joins.
struct HardOrders {
  std::vector<std::pair<OperationId, OperationId>> before;  // the first comes before the second
  std::vector<char> is_seq_cst;                             // by operation
  bool may_read_ahead = false;                              // otherwise every read comes behind what it reads
};

HardOrders hard_orders(const trace::Trace& trace, const Operations& operations, GraphOfTrace& graph);

}  // namespace ordeal::analysis
