// The edges of psc that follow from happens-before alone (seq_cst.h), and strongly-happens-before.
#pragma once

#include <vector>

#include "model/execution_graph.h"

namespace ordeal::model {

enum class SeqCstRules : std::uint8_t { kCpp20, kRc11 };

/// Fills rows kShb and kReleaseShb of all events that lack them.
void extend_strongly_happens_before(ExecutionGraph& graph);

/// Appends the numbers of direct predecessors of the seq_cst event `node`: of each thread the last one, which implies the
/// others. All stand in lower slots. REQUIRES (cpp20): shb rows are there.
void fixed_predecessors(const ExecutionGraph& graph, SeqCstRules rules, Slot node, std::vector<int>& out);

}  // namespace ordeal::model
