#include "model/race.h"

namespace ordeal::model {
namespace {

/// An access in the list that starts at `from` which races with `plain`.
Slot racing(const ExecutionGraph& graph, Slot plain, Slot from) {
  for (Slot at = from; at != kNone; at = graph.event(at).previous_at_location) {
    if (graph.event(at).thread == graph.event(plain).thread) continue;
    if (!graph.happens_before(at, plain) && !graph.happens_before(plain, at)) return at;
  }
  return kNone;
}

}  // namespace

std::optional<Race> find_race(const ExecutionGraph& graph) {
  for (int i = 0; i < graph.size(); ++i) {
    const Slot slot{i};
    const Event& event = graph.event(slot);
    if (!is_access(event) || event.order != MemoryOrder::kPlain) continue;
    Slot other = racing(graph, slot, graph.last_write(event.location));
    if (other == kNone && event.kind == EventKind::kWrite) other = racing(graph, slot, graph.last_read(event.location));
    if (other != kNone) return Race{slot, other};
  }
  return std::nullopt;
}

}  // namespace ordeal::model
