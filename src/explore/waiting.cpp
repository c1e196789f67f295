#include "explore/waiting.h"

#include <vector>

namespace ordeal::explore {

using model::Access;
using model::Await;
using model::Consistency;
using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::Slot;

Slot held_state(const ExecutionGraph& graph, const Access& access) {
  Slot at = graph.last_here(access.location, access.thread);
  while (at != kNone && graph.event(at).kind != EventKind::kWrite) at = graph.event(at).previous_here;
  return at;
}

Slot waker(const ExecutionGraph& graph, const Access& access) {
  const Slot own = held_state(graph, access);
  for (Slot at = graph.last_write(access.location); at != kNone && own != kNone; at = graph.event(at).previous_at_location) {
    const Event& write = graph.event(at);
    if (write.is_rmw && fits(access, write.value) && !fits(access, graph.event(write.rf).value) && at != own && graph.porf_before(own, at))
      return at;
  }
  return kNone;
}

bool can_lock(Consistency& consistency, const ExecutionGraph& graph, const Access& access) {
  std::vector<Slot> sources;
  consistency.sources(graph, access, sources);
  for (const Slot source : sources)
    if (fits(access, graph.event(source).value) && !consistency.is_taken(graph, source)) return true;
  return false;
}

bool could_go_on(Consistency& consistency, ExecutionGraph& graph, const Access& access) {
  if (access.function == model::RmwFunction::kLock) return can_lock(consistency, graph, access);
  if (access.await == Await::kWoken) return waker(graph, access) != kNone;
  std::vector<Slot> sources;
  consistency.sources(graph, access, sources);
  for (const Slot source : sources) {
    if (!fits(access, graph.event(source).value)) continue;
    Event read = Consistency::make_read(graph, access, source, 0);
    read.stamp = graph.next_stamp;
    const bool consistent = consistency.push_read(graph, read);
    graph.pop();
    if (consistent) return true;
  }
  return false;
}

}  // namespace ordeal::explore
