// The observer: judges executions when they are over, before the next one begins. It never sees the search's undo.
#pragma once

#include "engine/operation.h"
#include "model/execution_graph.h"

namespace ordeal::engine {

enum class Ending : std::uint8_t {
  kComplete,  // every thread finished
  kBlocked,   // nothing can go on, and not every thread finished; Execution::cut tells if a bound did that
};

struct Execution {
  Ending ending;
  Cut cut;  // the strongest reason among blocked threads
  model::ExecutionGraph& graph;
};

class Observer {
 public:
  virtual ~Observer() = default;
  /// False: stop the whole search.
  virtual bool finished(const Execution& execution) = 0;
};

}  // namespace ordeal::engine
