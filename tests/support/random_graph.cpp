#include "tests/support/random_graph.h"

#include <array>
#include <vector>

namespace ordeal::model::testing {

RandomGraph::RandomGraph(const Shape& shape, std::uint64_t seed) : consistency(shape.model), rng(seed), shape_(shape) {
  for (int t = 0; t < shape.threads; ++t) graph.declare_thread(ThreadId{t});
  for (int l = 0; l < shape.locations; ++l) graph.declare_location(LocationId{l}, 0);
}

void RandomGraph::grow() {
  for (int attempts = 0; attempts < 10 * shape_.events && graph.size() < shape_.events; ++attempts) step();
}

bool RandomGraph::step() {
  const ThreadId thread{rng.below(shape_.threads)};
  if (!may_run(thread)) return false;
  if (has_pending_rmw(thread)) return push_pending_write(thread);
  if (rng.chance(shape_.children)) return rng.chance(60) ? push_create(thread) : push_join(thread);
  if (rng.chance(shape_.fences)) return push_fence(thread);
  const LocationId location{rng.below(shape_.locations)};
  const bool may_write = graph.writes_at(location) < shape_.writes;
  if (rng.chance(shape_.rmws)) {
    if (!may_write || rng.chance(15)) return push_load(thread, location, RmwFunction::kCompareExchange);
    // As a rule its write follows at once; otherwise others come between.
    const int size = graph.size();
    if (!push_load(thread, location, rng.chance(50) ? RmwFunction::kAdd : RmwFunction::kExchange)) return false;
    if (rng.chance(15) || push_pending_write(thread)) return true;
    while (graph.size() > size) graph.pop();
    return false;
  }
  return may_write && rng.chance(50) ? push_store(thread, location) : push_load(thread, location, RmwFunction::kNone);
}

bool RandomGraph::judge(bool verdict) {
  if (pushed) pushed(verdict);
  if (!verdict) graph.pop();
  return verdict;
}

bool RandomGraph::is_joined(ThreadId thread) const {
  for (int i = 0; i < graph.size(); ++i)
    if (graph.event(Slot{i}).kind == EventKind::kJoin && graph.event(Slot{i}).access.other == thread) return true;
  return false;
}

bool RandomGraph::may_run(ThreadId thread) const {
  if (shape_.children == 0 || number(thread) == 0) return true;
  return graph.creation_of(thread) != kNone && !is_joined(thread);
}

bool RandomGraph::has_pending_rmw(ThreadId thread) const {
  if (graph.last_of(thread) == kNone) return false;
  const Event& last = graph.event(graph.last_of(thread));
  return last.kind == EventKind::kRead && last.is_rmw;
}

MemoryOrder RandomGraph::random_order(EventKind kind, bool is_rmw) {
  using enum MemoryOrder;
  if (rng.chance(shape_.seq_cst)) return kSeqCst;
  if (kind == EventKind::kFence) return std::array{kAcquire, kRelease, kAcqRel}[static_cast<std::size_t>(rng.below(3))];
  if (is_rmw) return std::array{kRelaxed, kAcquire, kRelease, kAcqRel}[static_cast<std::size_t>(rng.below(4))];
  if (rng.chance(shape_.plain)) return kPlain;
  if (rng.chance(50)) return kRelaxed;
  return kind == EventKind::kRead ? kAcquire : kRelease;
}

std::uint32_t RandomGraph::stamp(ThreadId thread) {
  if (!shape_.revisited) return graph.next_stamp++;
  // Growing in each thread, and never the same twice.
  const auto threads = static_cast<std::uint32_t>(shape_.threads);
  const std::uint32_t before = graph.last_of(thread) == kNone ? 0 : graph.event(graph.last_of(thread)).stamp / threads;
  return (before + 1 + static_cast<std::uint32_t>(rng.below(6))) * threads + static_cast<std::uint32_t>(number(thread));
}

Slot RandomGraph::random_source(LocationId location, bool for_rmw) {
  std::vector<Slot> writes{initial_write(location)};
  for (Slot at = graph.last_write(location); at != kNone; at = graph.event(at).previous_at_location) writes.push_back(at);
  Slot source = kNone;
  for (int attempt = 0; attempt < 4; ++attempt) {
    source = writes[static_cast<std::size_t>(rng.below(static_cast<int>(writes.size())))];
    if (!for_rmw || !consistency.is_taken(graph, source)) break;
  }
  return source;
}

int RandomGraph::random_position(LocationId location) {
  if (!consistency.mo_is_explicit()) return 0;
  const int last = graph.writes_at(location) + 1;
  return rng.chance(60) ? last : 1 + rng.below(last);
}

bool RandomGraph::push_pending_write(ThreadId thread) {
  Event write = Consistency::make_rmw_write(graph.event(graph.last_of(thread)));
  write.stamp = stamp(thread);
  if (consistency.mo_is_explicit()) write.mo_position = graph.event(write.rf).mo_position + 1;
  return judge(consistency.push_write(graph, write));
}

bool RandomGraph::push_load(ThreadId thread, LocationId location, RmwFunction function) {
  Access access;
  access.kind = EventKind::kRead;
  access.thread = thread;
  access.location = location;
  access.function = function;
  const bool is_rmw = function != RmwFunction::kNone;
  access.order = random_order(EventKind::kRead, is_rmw);
  access.operand = next_value_++;
  const Slot source = random_source(location, is_rmw && function != RmwFunction::kCompareExchange);
  if (function == RmwFunction::kCompareExchange) {  // one that fails
    access.expected = graph.event(source).value + 1;
    access.failure_order = random_order(EventKind::kRead, false);
    if (access.failure_order == MemoryOrder::kPlain) access.failure_order = MemoryOrder::kRelaxed;
  }
  Event read = Consistency::make_read(graph, access, source, false);
  read.stamp = stamp(thread);
  return judge(consistency.push_read(graph, read));
}

bool RandomGraph::push_store(ThreadId thread, LocationId location) {
  Access access;
  access.kind = EventKind::kWrite;
  access.thread = thread;
  access.location = location;
  access.order = random_order(EventKind::kWrite, false);
  access.operand = next_value_++;
  Event write = Consistency::make_write(access);
  write.stamp = stamp(thread);
  write.mo_position = random_position(location);
  return judge(consistency.push_write(graph, write));
}

bool RandomGraph::push_other(ThreadId thread, EventKind kind, MemoryOrder order, ThreadId other) {
  Event event;
  event.kind = event.access.kind = kind;
  event.order = event.access.order = order;
  event.thread = event.access.thread = thread;
  event.access.other = other;
  event.stamp = stamp(thread);
  consistency.push_other(graph, event);
  return judge(true);
}

bool RandomGraph::push_fence(ThreadId thread) {
  return push_other(thread, EventKind::kFence, random_order(EventKind::kFence, false), kNoThread);
}

bool RandomGraph::push_create(ThreadId thread) {
  for (int t = 1; t < shape_.threads; ++t)
    if (graph.creation_of(ThreadId{t}) == kNone)
      return push_other(thread, EventKind::kCreate, MemoryOrder::kRelaxed, ThreadId{t});
  return false;
}

bool RandomGraph::push_join(ThreadId thread) {
  const ThreadId other{rng.below(shape_.threads)};
  const bool may_be_joined = other != thread && number(other) != 0 && graph.count_of(other) > 0 && !is_joined(other) &&
                             !has_pending_rmw(other);
  return may_be_joined && push_other(thread, EventKind::kJoin, MemoryOrder::kRelaxed, other);
}

}  // namespace ordeal::model::testing
