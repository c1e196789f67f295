#include "model/happens_before.h"

#include "model/symmetry.h"

namespace ordeal::model {
namespace {

static_assert(static_cast<int>(Row::kPorf) == static_cast<int>(Row::kHb) + 1, "copied and joined as one row of twice the width");

void start_from(ExecutionGraph& graph, Slot slot, Slot from) {
  const int width = 2 * graph.width();
  if (from == kNone) base::clear(graph.row(slot, Row::kHb), width);
  else base::copy(graph.row(slot, Row::kHb), graph.row(from, Row::kHb), width);
}

void join_both(ExecutionGraph& graph, Slot slot, Slot from) {
  base::join(graph.row(slot, Row::kHb), graph.row(from, Row::kHb), 2 * graph.width());
}

/// [thread.sharedmutex.requirements]: unlock_shared synchronises with lock, but not with lock_shared. So one that took the lock to
/// read is behind the last writer's unlock, which is behind all before it. Between them are readers only.
Slot released_to(const ExecutionGraph& graph, const Event& read) {
  Slot at = read.rf;
  if (read.access.function != RmwFunction::kLockShared) return at;
  while (number(at) >= 0 && graph.event(at).access.function != RmwFunction::kUnlock) at = graph.event(at).rf;
  return at;
}

void acquire(ExecutionGraph& graph, Slot slot, Slot from) {
  if (number(from) >= 0) base::join(graph.row(slot, Row::kHb), graph.row(from, Row::kRelease), graph.width());
}

/// [atomics.fences]p3: the fence synchronises with what the reads before it read from. Reads before an earlier acquire
/// fence are in that fence's clock already.
void acquire_by_fence(ExecutionGraph& graph, Slot slot) {
  for (Slot at = graph.event(slot).previous; at != kNone; at = graph.event(at).previous) {
    const Event& event = graph.event(at);
    if (event.kind == EventKind::kRead && event.order != MemoryOrder::kPlain && number(event.rf) >= 0)
      acquire(graph, slot, released_to(graph, event));
    if (event.kind == EventKind::kFence && acquires(event.order)) break;
  }
}

void compute_release(ExecutionGraph& graph, Slot slot) {
  const Event& event = graph.event(slot);
  const int width = graph.width();
  ClockEntry* release = graph.row(slot, Row::kRelease);
  if (releases(event.order)) base::copy(release, graph.row(slot, Row::kHb), width);
  else if (event.release_fence != kNone && event.order != MemoryOrder::kPlain) base::copy(release, graph.row(event.release_fence, Row::kHb), width);
  else base::clear(release, width);
  if (event.is_rmw && number(event.rf) >= 0) base::join(release, graph.row(event.rf, Row::kRelease), width);
}

}  // namespace

void compute_happens_before(ExecutionGraph& graph, Slot slot) {
  const Event& event = graph.event(slot);
  start_from(graph, slot, event.previous != kNone ? event.previous : graph.creation_of(event.thread));
  ClockEntry* own = graph.row(slot, Row::kHb) + number(event.thread);
  own[0] = own[graph.width()] = event.index + 1;
  switch (event.kind) {
    case EventKind::kRead:
      if (number(event.rf) < 0) break;
      base::join(graph.row(slot, Row::kPorf), graph.row(event.rf, Row::kPorf), graph.width());
      if (acquires(event.order)) acquire(graph, slot, released_to(graph, event));
      break;
    case EventKind::kWrite: compute_release(graph, slot); break;
    case EventKind::kFence:
      if (acquires(event.order)) acquire_by_fence(graph, slot);
      break;
    case EventKind::kJoin: {
      // [thread.thread.member]: the completion of the thread synchronises with the return from join.
      const Slot from = graph.last_of(event.access.other);
      if (from != kNone) join_both(graph, slot, from);
      else if (graph.creation_of(event.access.other) != kNone) join_both(graph, slot, graph.creation_of(event.access.other));
      // The end of the thread counts as an event behind its last one.
      graph.row(slot, Row::kHb)[number(event.access.other)] = graph.count_of(event.access.other) + 1;
      break;
    }
    case EventKind::kWake:
    case EventKind::kAttempt:
      // Behind it in the order of execution; but [thread.condition] names nothing that synchronises. (A barrier does.)
      if (number(event.rf) >= 0) base::join(graph.row(slot, Row::kPorf), graph.row(event.rf, Row::kPorf), graph.width());
      if (acquires(event.order)) acquire(graph, slot, event.rf);
      break;
    case EventKind::kCreate:
    case EventKind::kChoice:
    case EventKind::kNote: break;
  }
  if (graph.is_symmetric()) [[unlikely]] enter_symmetry(graph, slot);
}

}  // namespace ordeal::model
