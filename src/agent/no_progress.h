// Whether threads that wait in loops wait for ever (memory-model.md, section 6): there is ONE consistent modification order
// in which each read of their last iterations has nothing behind its source but writes that put the same value back.
#pragma once

#include <vector>

#include "model/consistency.h"

namespace ordeal::agent {

/// A thread that waits in a loop; its last iteration begins with event `first_event`.
struct Spinner {
  model::ThreadId thread;
  int first_event;
};

bool wait_for_ever(model::Consistency& consistency, const model::ExecutionGraph& graph, const std::vector<Spinner>& spinners);

}  // namespace ordeal::agent
