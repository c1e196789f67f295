// A fixed order of the writes to a location, by which a canonical read is chosen (revisit.h): thread, then index; initial writes are least.
#pragma once

#include "model/execution_graph.h"

namespace ordeal::explore {

inline bool is_less(const model::ExecutionGraph& graph, model::Slot a, model::Slot b) {
  if (number(a) < 0 || number(b) < 0) return number(a) < 0 && number(b) >= 0;
  const model::Event &first = graph.event(a), &second = graph.event(b);
  return first.thread != second.thread ? first.thread < second.thread : first.index < second.index;
}

}  // namespace ordeal::explore
