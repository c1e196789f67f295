#include "analysis/spot.h"

namespace ordeal::analysis {

using model::kNone;
using model::Slot;
using model::ThreadId;

namespace {

Slot event_of(const model::ExecutionGraph& graph, std::int32_t thread, std::int32_t index) {
  Slot at = graph.last_of(ThreadId{thread});
  while (at != kNone && graph.event(at).index > index) at = graph.event(at).previous;
  return at != kNone && graph.event(at).index == index ? at : kNone;
}

}  // namespace

bool is_in(const model::ExecutionGraph& graph, const Spot& spot) {
  if (spot.thread < 0 || spot.thread >= graph.threads() || spot.before < 0) return false;
  return spot.before < graph.count_of(ThreadId{spot.thread}) + (spot.is_event ? 0 : 1);
}

Slot known_at(const model::ExecutionGraph& graph, const Spot& spot) {
  const std::int32_t index = spot.is_event ? spot.before : spot.before - 1;
  return index >= 0 ? event_of(graph, spot.thread, index) : graph.creation_of(ThreadId{spot.thread});
}

Slot told_from(const model::ExecutionGraph& graph, const Spot& spot) { return event_of(graph, spot.thread, spot.before); }

bool happens_before(const model::ExecutionGraph& graph, const Spot& first, const Spot& second) {
  if (first.thread == second.thread) return first.before < second.before;
  const Slot known = known_at(graph, second);
  return known != kNone && graph.row(known, model::Row::kHb)[first.thread] > first.before;
}

}  // namespace ordeal::analysis
