#include "explore/dead_ends.h"

#include "explore/fixed_order.h"

namespace ordeal::explore {

using model::Event;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;

bool DeadEnds::has_come_to_one(const ExecutionGraph& graph, const engine::StoppedTurn* turn) {
  if (consistency_.mo_is_explicit() || graph.is_symmetric()) return false;
  known_stops_.note(graph, turn);
  return is_dead_end(graph, turn);
}

bool DeadEnds::is_known_to_have(const ExecutionGraph& graph) {
  if (consistency_.mo_is_explicit() || graph.is_symmetric() || graph.event(graph.last()).kind != model::EventKind::kRead) return false;
  const KnownStops::Stop* stop = known_stops_.find(graph);
  return stop != nullptr && is_dead_end(graph, stop->has_turn ? &stop->turn : nullptr);
}

bool DeadEnds::is_dead_end(const ExecutionGraph& graph, const engine::StoppedTurn* turn) {
  return has_last_read_that_stays(graph) || (turn != nullptr && stale_turns_.has_come_to_one(graph, *turn));
}

bool DeadEnds::has_last_read_that_stays(const ExecutionGraph& graph) {
  const Event& read = graph.event(graph.last());
  if (read.kind != model::EventKind::kRead || read.is_rmw || !is_ordinary(read.access)) return false;
  for (Slot at = graph.last_write(read.location); at != kNone; at = graph.event(at).previous_at_location) {
    if (!is_less(graph, read.rf, at) || writes_after_reading(read.access, graph.event(at).value)) continue;
    if (is_before_in_any_case(graph, read.rf, at)) return true;
  }
  return false;
}

}  // namespace ordeal::explore
