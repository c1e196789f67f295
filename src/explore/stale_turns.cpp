#include "explore/stale_turns.h"

#include <algorithm>

#include "explore/fixed_order.h"

namespace ordeal::explore {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;
using model::ThreadId;

namespace {

/// Whether the event is a revisitor of the graph, or one of them depends on it.
bool is_fixed(const ExecutionGraph& graph, Slot at) {
  return std::any_of(graph.revisitors().begin(), graph.revisitors().end(),
                     [&](Slot write) { return graph.porf_before(at, write); });
}

/// Whether a revisit may change some event of another thread that came between these of one thread.
bool may_change_between(const ExecutionGraph& graph, Slot first, Slot last) {
  const Event &begin = graph.event(first), &end = graph.event(last);
  if (end.stamp == begin.stamp + 1) return false;
  for (int i = graph.size(); i-- > 0;) {
    const Event& event = graph.event(Slot{i});
    const bool is_read = event.kind == EventKind::kRead || event.kind == EventKind::kAttempt;
    if (is_read && event.thread != begin.thread && event.stamp > begin.stamp && event.stamp < end.stamp &&
        !is_fixed(graph, Slot{i}))
      return true;
  }
  return false;
}

/// How many events of the thread stay as long as those before the read do: they are *settled*.
int settled(const ExecutionGraph& graph, model::ThreadId thread, Slot read) {
  if (number(thread) >= graph.threads()) return 0;  // it was seen in another graph
  Slot at = graph.last_of(thread);
  while (at != kNone && graph.event(at).stamp > graph.event(read).stamp) at = graph.event(at).previous;
  int made = at == kNone ? 0 : graph.event(at).index + 1;
  for (const Slot write : graph.revisitors())
    made = std::max<int>(made, graph.row(write, model::Row::kPorf)[number(thread)]);
  return made;
}

/// The last of them; kNone: there are none.
Slot last_settled(const ExecutionGraph& graph, model::ThreadId thread, Slot read) {
  const int count = settled(graph, thread, read);
  Slot at = graph.last_of(thread);
  while (at != kNone && graph.event(at).index >= count) at = graph.event(at).previous;
  return at;
}

/// Whether an RMW that is settled has read the write.
bool is_taken_for_good(const ExecutionGraph& graph, Slot write, Slot read) {
  for (Slot at = graph.last_write(graph.event(write).location); at != kNone;
       at = graph.event(at).previous_at_location) {
    const Event& event = graph.event(at);
    if (event.is_rmw && event.rf == write && event.index < settled(graph, event.thread, read)) return true;
  }
  return false;
}

}  // namespace

/// 1: whether it is never canonical.
bool StaleTurns::stays(const ExecutionGraph& graph, Slot read) {
  const Event& event = graph.event(read);
  for (Slot at = graph.last_write(event.location); at != kNone; at = graph.event(at).previous_at_location) {
    const Event& write = graph.event(at);
    if (!is_less(graph, event.rf, at) || writes_after_reading(event.access, write.value) ||
        !is_before_in_any_case(graph, event.rf, at))
      continue;
    if (write.stamp < event.stamp || is_fixed(graph, at)) return true;
  }
  return false;
}

/// Whether a write of that value may come up that is not settled. Of those that were asked about already the first to come up would have to come up for another reason.
bool StaleTurns::may_come(const ExecutionGraph& graph, const model::SeenWrites::Taken& what, Slot read) {
  if (std::find(asked_.begin(), asked_.end(), what) != asked_.end()) return false;
  asked_.push_back(what);
  return seen_->any(what.location, what.value, [&](const model::SeenWrites::By& write) {
    if (write.taken.location == model::kNoLocation)
      return write.thread != graph.event(read).thread && write.latest >= settled(graph, write.thread, read);
    for (int t = 0; t < graph.threads(); ++t)
      if (ThreadId{t} != graph.event(read).thread && may_follow(graph, write, last_settled(graph, ThreadId{t}, read)))
        return true;
    return may_be_taken(graph, write.taken, read);
  });
}

/// Whether the thread of `last`, its last event that is settled, may make that write next, before it makes another RMW.
bool StaleTurns::may_follow(const ExecutionGraph& graph, const model::SeenWrites::By& write, Slot last) {
  const Slot rmw = model::SeenWrites::last_rmw(graph, last);
  return rmw != kNone && model::SeenWrites::taken_by(graph, rmw) == write.taken &&
         graph.event(last).index < graph.event(rmw).index + write.latest;
}

/// Whether an RMW that is not settled may read such a value.
bool StaleTurns::may_be_taken(const ExecutionGraph& graph, const model::SeenWrites::Taken& what, Slot read) {
  if (number(what.location) >= graph.locations()) return true;  // it was seen in another graph
  const auto is_free = [&](Slot write) {
    return graph.event(write).value == what.value && !is_taken_for_good(graph, write, read);
  };
  if (is_free(model::initial_write(what.location))) return true;
  for (Slot at = graph.last_write(what.location); at != kNone; at = graph.event(at).previous_at_location)
    if (graph.event(at).index < settled(graph, graph.event(at).thread, read) && is_free(at)) return true;
  return may_come(graph, what, read);
}

/// 3: whether it may be revisited by a write with which the thread goes on.
bool StaleTurns::may_change(const ExecutionGraph& graph, Slot read, const engine::StoppedTurn::Read& known) {
  asked_.clear();
  return !known.is_known || std::any_of(known.useful.begin(), known.useful.end(), [&](model::Value value) {
    return may_come(graph, {graph.event(read).location, value}, read);
  });
}

bool StaleTurns::has_come_to_one(const ExecutionGraph& graph, const engine::StoppedTurn& turn) {
  if (seen_ == nullptr) return false;
  Slot at = graph.last();
  for (const engine::StoppedTurn::Read* known : turn.reads) {
    const Event& read = graph.event(at);
    if (read.kind != EventKind::kRead || read.is_rmw || read.failed_spuriously) return false;
    if (!is_for_value(read.access.await)) {
      if (!is_ordinary(read.access)) return false;
      if (at != graph.last() && stays(graph, at)) return seen_->has_no_locks();
      if (may_change(graph, at, *known)) return false;
    }
    const Slot previous = read.previous;
    if (previous == kNone || may_change_between(graph, previous, at)) return false;
    at = previous;
  }
  return false;
}

}  // namespace ordeal::explore
