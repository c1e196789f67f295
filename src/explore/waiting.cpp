#include "explore/waiting.h"

#include <algorithm>
#include <vector>

#include "model/completion.h"
#include "model/modification_order.h"

namespace ordeal::explore {

using engine::Operation;
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
    const bool is_right = write.is_rmw && write.rf != kNone && fits(access, write.value) && !fits(access, graph.event(write.rf).value);
    if (is_right && at != own && graph.porf_before(own, at)) return at;
  }
  return kNone;
}

bool can_lock(Consistency& consistency, const ExecutionGraph& graph, const Access& access) {
  return consistency.any_source(graph, access, [&](Slot source) { return fits(access, graph.event(source).value) && !consistency.is_taken(graph, source); });
}

namespace {

/// Whether the RMW that has built upon `source` is one that waits for a value.
bool is_taken_by_waiting(const ExecutionGraph& graph, Slot source) {
  for (Slot at = graph.last_write(graph.event(source).location); at != kNone; at = graph.event(at).previous_at_location)
    if (graph.event(at).is_rmw && graph.event(at).rf == source) return is_for_value(graph.event(at).access.await);
  return false;
}

}  // namespace

bool may_go_on_from(const Consistency& consistency, const ExecutionGraph& graph, const Access& access, Slot source) {
  const model::Value value = graph.event(source).value;
  if (!consistency.fits(access, value)) return false;
  return !is_for_value(access.await) || !model::writes_after_reading(access, value) || !is_taken_by_waiting(graph, source);
}

bool has_something_to_read(Consistency& consistency, const ExecutionGraph& graph, const Access& access) {
  bool is_there = consistency.fits(access, graph.event(model::initial_write(access.location)).value);  // asked often, and seldom so
  for (Slot at = graph.last_write(access.location); at != kNone && !is_there; at = graph.event(at).previous_at_location)
    is_there = consistency.fits(access, graph.event(at).value);
  if (!is_there) return false;
  return consistency.any_source(graph, access, [&](Slot source) { return may_go_on_from(consistency, graph, access, source); });
}

namespace {

/// Whether the access goes on with that value, or another execution comes to the same.
bool is_no_wait(const Consistency& consistency, const Access& access, model::Value value) { return consistency.fits(access, value) || consistency.is_redundant(access, value); }

/// Whether all modification orders end with the same chain of writes there, and with its last value nobody waits.
bool surely_goes_on(const Consistency& consistency, const ExecutionGraph& graph, const Access& access) {
  if (consistency.mo_is_explicit()) return false;
  const Slot newest = graph.last_write(access.location);
  if (newest == kNone) return is_no_wait(consistency, access, graph.event(model::initial_write(access.location)).value);
  const Slot head = graph.event(newest).chain_head;
  return model::is_last_chain(graph, head) && is_no_wait(consistency, access, graph.event(graph.event(head).chain_tail).value);
}

}  // namespace

bool may_wait_for_ever(Consistency& consistency, ExecutionGraph& graph, std::span<const Operation> waiting) {
  std::vector<model::LocationId> locations;
  for (const Operation& operation : waiting) {
    const Access& access = operation.access;
    if (access.await == Await::kApplicable && can_lock(consistency, graph, access)) return false;
    if (is_wake(access.await) && waker(graph, access) != kNone) return false;
    if (is_for_value(access.await) && surely_goes_on(consistency, graph, access)) return false;
    if (is_for_value(access.await) && std::find(locations.begin(), locations.end(), access.location) == locations.end())
      locations.push_back(access.location);
  }
  if (locations.empty()) return true;
  bool found = false;
  model::for_each_final_memory(graph, consistency, locations, [&](std::span<const Slot> last) {
    found = std::none_of(waiting.begin(), waiting.end(), [&](const Operation& operation) {
      return std::any_of(last.begin(), last.end(), [&](Slot write) {
        return graph.event(write).location == operation.access.location && is_no_wait(consistency, operation.access, graph.event(write).value);
      });
    });
    return !found;
  });
  return found;
}

}  // namespace ordeal::explore
