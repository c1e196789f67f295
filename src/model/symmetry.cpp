#include "model/symmetry.h"

#include <cstring>

namespace ordeal::model {
namespace {

/// 0: none.
Value group_of(const ExecutionGraph& graph, ThreadId thread) {
  const Slot creation = graph.creation_of(thread);
  return creation == kNone ? 0 : graph.event(creation).access.operand;
}

/// Who stands for all that share the first `count` events of the thread; the thread has so many.
ThreadId leader(const ExecutionGraph& graph, ThreadId thread, Value group, int count) {
  if (count == 0) return ThreadId{static_cast<std::int32_t>(group - 1)};
  return ThreadId{graph.event(graph.in_class(thread, count - 1)).alike};
}

/// The last thread in [first, last) of the group whose first `count` events are those that `leader_of_all` stands for.
ThreadId last_sharing(const ExecutionGraph& graph, ThreadId last, Value group, int count, ThreadId leader_of_all) {
  for (int t = number(last) - 1; t >= number(leader_of_all); --t) {
    const ThreadId twin{t};
    if (group_of(graph, twin) == group && graph.count_in_class(twin) >= count && leader(graph, twin, group, count) == leader_of_all) return twin;
  }
  return kNoThread;
}

ThreadId nearest_twin(const ExecutionGraph& graph, ThreadId thread, int count) {
  const Value group = group_of(graph, thread);
  if (group == 0) return kNoThread;
  return last_sharing(graph, thread, group, count, leader(graph, thread, group, count));
}

/// The last event of the operation that begins at place `count`.
Slot end_of_operation(const ExecutionGraph& graph, ThreadId thread, int count) {
  const Slot slot = graph.in_class(thread, count);
  const Event& event = graph.event(slot);
  const bool has_write = event.kind == EventKind::kRead && event.is_rmw && graph.count_in_class(thread) > count + 1;
  return has_write ? graph.in_class(thread, count + 1) : slot;
}

/// Whether the threads ask for the same. What is known to be useless where they wait (kUseful) is each one's own.
bool is_same_request(const Access& a, const Access& b) {
  Access other = b;
  other.thread = a.thread;
  if (a.await == Await::kUseful || b.await == Await::kUseful) {
    other.await = a.await;
    other.other = a.other;
    other.is_weak = a.is_weak;
  }
  return std::memcmp(&a, &other, sizeof(Access)) == 0;
}

bool is_same_source(const ExecutionGraph& graph, const Event& a, const Event& b) {
  if (a.rf == b.rf) return true;
  if (number(a.rf) < 0 || number(b.rf) < 0) return false;
  return graph.event(a.rf).thread == a.thread && graph.event(b.rf).thread == b.thread && graph.place_in_class(a.rf) == graph.place_in_class(b.rf);
}

/// REQUIRES: the threads share what comes before.
bool is_alike(const ExecutionGraph& graph, const Event& a, const Event& b) {
  return a.kind == b.kind && a.value == b.value && a.is_rmw == b.is_rmw && a.failed_spuriously == b.failed_spuriously && a.woken == b.woken &&
         is_same_request(a.access, b.access) && is_same_source(graph, a, b);
}

}  // namespace

ThreadId nearest_twin(const ExecutionGraph& graph, ThreadId thread) {
  return graph.is_symmetric() ? nearest_twin(graph, thread, graph.count_in_class(thread)) : kNoThread;
}

bool is_held(const ExecutionGraph& graph, ThreadId thread) {
  if (!graph.is_symmetric()) return false;
  // Below a twin that has gone on all have.
  const ThreadId twin = nearest_twin(graph, thread);
  return twin != kNoThread && graph.count_in_class(twin) == graph.count_in_class(thread);
}

Slot behind_by_symmetry(const ExecutionGraph& graph, ThreadId thread) {
  const ThreadId twin = nearest_twin(graph, thread);
  const int count = graph.is_symmetric() ? graph.count_in_class(thread) : 0;
  return twin == kNoThread || graph.count_in_class(twin) == count ? kNone : end_of_operation(graph, twin, count);
}

void enter_symmetry(ExecutionGraph& graph, Slot slot) {
  Event& event = graph.event(slot);
  const Value group = group_of(graph, event.thread);
  if (group == 0) return;
  const bool counts = event.kind != EventKind::kAttempt;
  const int count = graph.count_in_class(event.thread) - (counts ? 1 : 0);
  const ThreadId before = leader(graph, event.thread, group, count);
  event.alike = static_cast<std::int16_t>(number(event.thread));
  bool is_behind = false;
  for (ThreadId twin = event.thread; (twin = last_sharing(graph, twin, group, count, before)) != kNoThread;) {
    if (graph.count_in_class(twin) == count) continue;
    if (!is_behind) base::join(graph.row(slot, Row::kPorf), graph.row(end_of_operation(graph, twin, count), Row::kPorf), graph.width());
    is_behind = true;
    if (counts && is_alike(graph, graph.event(graph.in_class(twin, count)), event)) event.alike = static_cast<std::int16_t>(number(twin));
  }
}

}  // namespace ordeal::model
