#include "explore/passes.h"

namespace ordeal::explore {

bool has_spurious_failure(const model::ExecutionGraph& graph) {
  for (int s = 0; s < graph.size(); ++s) {
    const model::Event& event = graph.event(model::Slot{s});
    if (event.failed_spuriously && !event.access.is_try) return true;
  }
  return false;
}

engine::Counts Passes::seen() const {
  engine::Counts counts = without();
  counts.complete += with().complete;
  counts.blocked += with().blocked;
  return counts;
}

}  // namespace ordeal::explore
