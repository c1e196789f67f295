#include "explore/dead_ends.h"

#include "explore/fixed_order.h"

namespace ordeal::explore {

using model::Event;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;

namespace {

/// Whether `a` is before `b` in modification order in every graph that has both and what they depend on. REQUIRES: they are not the same.
bool is_before_in_any_case(const ExecutionGraph& graph, Slot a, Slot b) {
  const Event &first = graph.event(a), &second = graph.event(b);
  if (first.chain_head == second.chain_head) return first.chain_position < second.chain_position;
  return model::is_initial(first.chain_head) || (!model::is_initial(b) && graph.happens_before(a, b));
}

}  // namespace

bool DeadEnds::has_come_to_one(const ExecutionGraph& graph) const {
  if (consistency_.mo_is_explicit() || graph.is_symmetric()) return false;
  const Event& read = graph.event(graph.last());
  if (read.kind != model::EventKind::kRead || read.is_rmw || !is_ordinary(read.access)) return false;
  for (Slot at = graph.last_write(read.location); at != kNone; at = graph.event(at).previous_at_location) {
    if (!is_less(graph, read.rf, at) || writes_after_reading(read.access, graph.event(at).value)) continue;
    if (is_before_in_any_case(graph, read.rf, at)) return true;
  }
  return false;
}

}  // namespace ordeal::explore
