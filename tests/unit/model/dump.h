// All that can be seen of a graph, as text: two graphs are in the same state iff their dumps are equal.
#pragma once

#include <string>

#include "model/execution_graph.h"

namespace ordeal::model::testing {

/// Without the rows of strongly-happens-before, which are filled when first needed. `with_trail` tells whether the
/// length of the undo log counts.
std::string dump(const ExecutionGraph& graph, bool with_trail = true);

}  // namespace ordeal::model::testing
