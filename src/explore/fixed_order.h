// A fixed order of the writes to a location, by which a canonical read is chosen (revisit.h): value, then thread, then index; initial writes are least. Counters grow, so the greatest value is
// mostly the last one, and a thread that has read an older one is seen to have (stale_turns.h).
#pragma once

#include "model/execution_graph.h"

namespace ordeal::explore {

inline bool is_less(const model::ExecutionGraph& graph, model::Slot a, model::Slot b) {
  if (number(a) < 0 || number(b) < 0) return number(a) < 0 && number(b) >= 0;
  const model::Event &first = graph.event(a), &second = graph.event(b);
  if (first.value != second.value) return first.value < second.value;
  return first.thread != second.thread ? first.thread < second.thread : first.index < second.index;
}

/// Whether `a` is before `b` in modification order in every graph that has both and what they depend on. REQUIRES: they are not the same.
inline bool is_before_in_any_case(const model::ExecutionGraph& graph, model::Slot a, model::Slot b) {
  const model::Event &first = graph.event(a), &second = graph.event(b);
  if (first.chain_head == second.chain_head) return first.chain_position < second.chain_position;
  return model::is_initial(first.chain_head) || (!model::is_initial(b) && graph.happens_before(a, b));
}

}  // namespace ordeal::explore
