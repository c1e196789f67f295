#include "engine/follower.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "engine/not_deterministic.h"

namespace ordeal::engine {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;

namespace {

/// The read of an RMW is completed by the write behind it; an attempt completes nothing.
bool completes_operation(const Event& event) {
  return event.kind == EventKind::kRead ? !event.is_rmw : event.kind != EventKind::kAttempt;
}

/// The thread must ask for what it asked for when the event was made. This is done for every event of every execution.
void require_same(const Operation& operation, const Event& event) {
  static_assert(offsetof(Access, await) == 7 && offsetof(Access, thread) == 8 && sizeof(Access) == 40, "no padding: they are compared byte by byte");
  if (operation.kind < OperationKind::kFinish && std::memcmp(&operation.access, &event.access, sizeof(Access)) == 0) [[likely]] return;
  throw NotDeterministic(event.access, operation);
}

}  // namespace

/// What was read from the initial write must still be there at first.
void Follower::require_same_initial(const ExecutionGraph& graph, const Event& event, const Operation& operation) const {
  if (!model::is_initial(event.rf) || event.location == model::kNoLocation) return;
  const Value before = event.kind == EventKind::kWrite ? graph.event(event.previous).value : event.value;
  const Value now = program_.initial_value(event.location);
  if (before == now) return;
  NotDeterministic difference(event.access, operation);
  difference.differs_at_first = true;
  difference.value_before = before;
  difference.value_now = now;
  throw difference;
}

void Follower::declare(ExecutionGraph& graph) {
  program_.begin();
  const int threads = program_.initial_threads();
  if (threads > 0) graph.declare_thread(ThreadId{threads - 1});
  for (int l = 0; l < program_.locations(); ++l) graph.declare_location(LocationId{l}, program_.initial_value(LocationId{l}));
  const std::size_t size = program_.checkpoint_size();
  graph.set_payload_size(size);
  initial_.resize(size * static_cast<std::size_t>(threads));
  for (int t = 0; size > 0 && t < threads; ++t) program_.save(ThreadId{t}, initial_.data() + size * static_cast<std::size_t>(t));
  is_current_.assign(static_cast<std::size_t>(graph.threads()), 1);
}

void Follower::lose_track(ExecutionGraph& graph) {
  is_current_.assign(static_cast<std::size_t>(graph.threads()), 0);
  if (program_.checkpoint_size() == 0) run_again_from_start(graph);
}

void Follower::run_again_from_start(ExecutionGraph& graph) {
  program_.begin();
  std::fill(is_current_.begin(), is_current_.end(), 1);
  for (int i = 0; i < graph.size(); ++i) {
    const Event& event = graph.event(Slot{i});
    if (!completes_operation(event)) continue;
    const Operation& operation = program_.next(event.thread);
    require_same(operation, event);
    require_same_initial(graph, event, operation);
    // A thread without any operation has no event that would let it run; what it did must be there when it has been joined.
    if (event.kind == EventKind::kJoin) program_.next(event.access.other);
    completed(graph, event.thread, Slot{i});
  }
}

void Follower::repeat(ExecutionGraph& graph) {
  if (program_.checkpoint_size() != 0) return;
  std::vector<Operation> last;  // where each thread stands
  for (int t = 0; t < graph.threads(); ++t) last.push_back(has_started(graph, ThreadId{t}) ? next(graph, ThreadId{t}) : Operation{});
  run_again_from_start(graph);
  for (int t = 0; t < graph.threads(); ++t) {
    if (!has_started(graph, ThreadId{t})) continue;
    const Operation& now = next(graph, ThreadId{t});
    if (now.kind != last[static_cast<std::size_t>(t)].kind) throw NotDeterministic(last[static_cast<std::size_t>(t)].access, now);
  }
}

const Operation& Follower::next(ExecutionGraph& graph, ThreadId thread) {
  if (is_current_[static_cast<std::size_t>(number(thread))] == 0) bring_up_to_date(graph, thread);
  return program_.next(thread);
}

/// Restores the last checkpoint of the thread, then lets it run through the operations behind it.
void Follower::bring_up_to_date(ExecutionGraph& graph, ThreadId thread) {
  const Slot last = graph.last_of(thread);
  Slot saved = last;
  while (saved != kNone && !graph.event(saved).has_payload) saved = graph.event(saved).previous;
  program_.restore(thread, saved != kNone ? graph.payload(saved)
                                          : initial_.data() + program_.checkpoint_size() * static_cast<std::size_t>(number(thread)));
  is_current_[static_cast<std::size_t>(number(thread))] = 1;
  if (saved == last) return;
  // Seldom more than one: the operation whose read was revisited.
  behind_.clear();
  for (Slot at = last; at != saved; at = graph.event(at).previous) behind_.push_back(at);
  for (; !behind_.empty(); behind_.pop_back()) {
    if (!completes_operation(graph.event(behind_.back()))) continue;
    program_.next(thread);
    completed(graph, thread, behind_.back());
  }
}

void Follower::completed(ExecutionGraph& graph, ThreadId thread, Slot last) {
  Event& event = graph.event(last);
  const bool is_rmw_write = event.kind == EventKind::kWrite && event.is_rmw;
  Result result;
  result.value = is_rmw_write ? graph.event(event.previous).value : event.value;
  result.succeeded = event.access.function != model::RmwFunction::kCompareExchange || is_rmw_write;
  result.is_initial = number(is_rmw_write ? graph.event(event.previous).rf : event.rf) < 0;
  const Slot source = is_rmw_write ? graph.event(event.previous).rf : event.rf;
  if (source != kNone && event.location != model::kNoLocation) {
    const Event& write = graph.event(source);
    result.source = model::is_initial(source) ? 0 : (std::int64_t{number(write.thread)} + 1) << 32 | write.index;
    result.has_later = graph.last_write(event.location) != kNone && graph.last_write(event.location) != source;
  }
  result.next_is_known = graph.last_of(thread) != last;
  result.width = graph.width();
  result.hb = graph.row(last, model::Row::kHb);
  program_.resume(thread, result);
  const OperationKind next = program_.next(thread).kind;
  event.ends_thread = next == OperationKind::kFinish;
  event.blocks_thread = next == OperationKind::kBlock;
  if (graph.payload_size() == 0) return;
  program_.save(thread, graph.payload(last));
  event.has_payload = true;
}

bool Follower::has_started(const ExecutionGraph& graph, ThreadId thread) const {
  if (number(thread) < program_.initial_threads()) return true;
  return number(thread) < graph.threads() && graph.creation_of(thread) != kNone;
}

bool Follower::has_ended(ExecutionGraph& graph, ThreadId thread) {
  if (!has_started(graph, thread)) return false;
  const Slot last = graph.last_of(thread);
  // A revisited read does not know yet whether it is the last; a thread without any operation has ended when it starts.
  if (last != kNone && (graph.event(last).ends_thread || graph.event(last).has_payload)) return graph.event(last).ends_thread;
  return next(graph, thread).kind == OperationKind::kFinish;
}

void Follower::declare_new(ExecutionGraph& graph, const Operation& operation) {
  // What a location holds at first may depend on the execution (it is initialised by plain writes).
  if (operation.access.location != model::kNoLocation && number(operation.access.location) < graph.locations())
    graph.event(model::initial_write(operation.access.location)).value = program_.initial_value(operation.access.location);
  // Another graph may have come across locations between these, so all are declared.
  for (int l = graph.locations(); l <= number(operation.access.location); ++l)
    graph.declare_location(LocationId{l}, program_.initial_value(LocationId{l}));
  if (operation.kind == OperationKind::kCreate && number(operation.access.other) >= graph.threads()) {
    graph.declare_thread(operation.access.other);
    is_current_.resize(static_cast<std::size_t>(graph.threads()), 1);
  }
}

}  // namespace ordeal::engine
