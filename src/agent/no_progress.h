// Whether threads that wait in loops wait for ever (memory-model.md, section 6): there is ONE consistent modification order
// in which each read of their last iterations has nothing behind its source but writes that put the same value back, or
// that such iterations made: what they did, they undid (runtime/loops/README.md).
//
// But a thread does not wait for ever for a lock that another one takes and gives back in each round, nor for any other value that changes there.
#pragma once

#include <vector>

#include "model/consistency.h"

namespace ordeal::agent {

/// A thread that waits in a loop; its last iteration begins with event `first_event`.
struct Spinner {
  model::ThreadId thread;
  int first_event;
};

/// `locks`: where the threads stand that wait for a mutex.
bool wait_for_ever(model::Consistency& consistency, const model::ExecutionGraph& graph, const std::vector<Spinner>& spinners,
                   const std::vector<model::LocationId>& locks);

}  // namespace ordeal::agent
