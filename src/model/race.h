// Data races, [intro.races]p21: two conflicting accesses of different threads, at least one of them not atomic, neither of
// which happens before the other. "Happens before" is always that of the orders as written, in every model.
#pragma once

#include <optional>

#include "model/execution_graph.h"

namespace ordeal::model {

struct Race {
  Slot first;
  Slot second;
};

/// A race in the graph, if there is one.
std::optional<Race> find_race(const ExecutionGraph& graph);

}  // namespace ordeal::model
