#include "engine/session.h"

#include <algorithm>
#include <utility>

namespace ordeal::engine {

using model::ExecutionGraph;
using model::kNone;
using model::Slot;

const Counts& Session::run() {
  follower_.declare(decider_.graph());
  while (!counts_.stopped && decider_.advance()) {
    if (stop_ != nullptr && stop_(stop_data_)) {
      counts_.stopped = true;
      break;
    }
    follower_.lose_track(decider_.graph());
    if (!run_execution()) {
      ++counts_.given_up;
      continue;
    }
    finish();
    if (std::exchange(repeats_, false) && !counts_.stopped) follower_.repeat(decider_.graph());
  }
  return counts_;
}

/// One execution: step by step until no thread can go on, or the decider gives it up.
bool Session::run_execution() {
  constexpr int kChanges[] = {100, 50, 20, 5};
  latest_ = model::kNoThread;
  is_redundant_ = false;
  if (rng_) [[unlikely]] changes_ = kChanges[rng_->below(static_cast<int>(std::size(kChanges)))];
  for (;;) {
    if (is_dead_end()) return false;
    const ThreadId thread = next_thread();
    if (*at_once_) [[unlikely]] return !(counts_.stopped = true);
    if (thread == model::kNoThread) return can_end();
    if (!step(thread)) return false;
  }
}

/// Whether the last event is a read after which its thread is stopped for good.
bool Session::is_dead_end() {
  ExecutionGraph& graph = decider_.graph();
  if (graph.size() == 0) return false;
  const model::Event& last = graph.event(graph.last());
  if (last.kind != model::EventKind::kRead || last.is_rmw || !follower_.has_started(graph, last.thread)) return false;
  const Operation& next = follower_.next(graph, last.thread);
  const bool is_in_vain = next.kind == OperationKind::kBlock && (next.cut == Cut::kRedundant || next.cut == Cut::kSpin);
  return is_in_vain && !follower_.has_accessed_behind_its_last_event(last.thread) && decider_.is_dead_end(follower_.stopped_turn(last.thread));
}

bool Session::can_end() {
  const std::span<const Operation> operations = someone_waits_ ? waiting() : std::span<const Operation>();
  if (decider_.can_end(operations)) return true;
  return is_redundant_ = decider_.ends_redundantly(operations);
}

namespace {

/// Whether the thread's last event says that nothing comes behind it.
bool is_known_to_stand(const ExecutionGraph& graph, ThreadId thread) {
  const Slot last = graph.last_of(thread);
  return last != kNone && (graph.event(last).ends_thread || graph.event(last).blocks_thread);
}

bool waits_for_value(const Operation& operation) {
  return operation.kind == OperationKind::kAwait && !is_wake(operation.access.await);
}

}  // namespace

/// The threads in the order in which they are asked: the first, and then the others, beginning with one of them if there are many.
ThreadId Session::in_order(const ExecutionGraph& graph, int i) const {
  if (rng_) [[unlikely]] return ThreadId{(i + first_asked_) % graph.threads()};
  if (rotation_ == 0 || i == 0 || graph.threads() <= few_threads_) return ThreadId{i};
  return ThreadId{1 + (i - 1 + rotation_) % (graph.threads() - 1)};
}

/// The fixed rule `next` of the search: the first runnable thread, in that order. Threads at contested locations come behind the others, those at the same
/// location together; those at awaits come last.
ThreadId Session::next_thread() {
  ExecutionGraph& graph = decider_.graph();
  someone_waits_ = others_may_go_on_ = is_at_await_ = is_contending_ = false;
  if (rng_) [[unlikely]] first_asked_ = rng_->chance(changes_) ? rng_->below(graph.threads()) : first_asked_;
  else if (latest_ != model::kNoThread && goes_on(graph, latest_)) return latest_;
  latest_ = model::kNoThread;
  ThreadId contender = model::kNoThread, at_await = model::kNoThread;
  LocationId contended{};
  only_ends_matter_ = !graph.is_symmetric();
  for (int i = 0; i < graph.threads(); ++i) {
    const ThreadId thread = in_order(graph, i);
    is_at_await_ = false;
    if (is_known_to_stand(graph, thread) || !can_go_on(graph, thread)) continue;
    if (is_at_await_) {
      only_ends_matter_ = false;
      if (at_await == model::kNoThread) at_await = thread;
      else others_may_go_on_ = true;
    } else if (is_contending_) {
      const LocationId location = follower_.next(graph, thread).access.location;
      if (contender == model::kNoThread || number(location) < number(contended)) contender = thread, contended = location;
    } else {
      if (only_ends_matter_) latest_ = thread;
      return thread;
    }
  }
  return contender != model::kNoThread ? contender : at_await;
}

/// Whether the thread that made the last step also makes the next: those before it only wait for threads to end or at contested locations, so they need not
/// be asked.
bool Session::goes_on(ExecutionGraph& graph, ThreadId thread) {
  const Slot last = graph.last_of(thread);
  if (last == kNone || graph.event(last).kind == model::EventKind::kCreate || is_known_to_stand(graph, thread)) return false;
  if (can_go_on(graph, thread) && !is_at_await_ && !is_contending_) return true;
  someone_waits_ = others_may_go_on_ = false;
  return false;
}

bool Session::can_go_on(ExecutionGraph& graph, ThreadId thread) {
  if (!follower_.has_started(graph, thread)) return false;
  const Operation& operation = follower_.next(graph, thread);
  is_contending_ = contested_ != nullptr && contested_->has(operation.access.location);
  switch (operation.kind) {
    case OperationKind::kFinish:
    case OperationKind::kBlock: return false;
    case OperationKind::kJoin:
      if (!follower_.has_ended(graph, operation.access.other)) return false;
      break;
    case OperationKind::kLock:
    case OperationKind::kAwait:
      is_at_await_ = waits_for_value(operation);
      follower_.declare_new(graph, operation);  // whether it can go on depends on what the location holds
      if (decider_.can_go_on(operation)) return true;
      someone_waits_ = true;
      only_ends_matter_ = false;
      others_may_go_on_ |= operation.kind == OperationKind::kLock;  // by displacement
      return false;
    default: break;
  }
  const bool can = decider_.can_go_on(operation);
  only_ends_matter_ &= can;
  return can;
}

bool Session::step(ThreadId thread) {
  const Operation& operation = follower_.next(decider_.graph(), thread);
  follower_.declare_new(decider_.graph(), operation);
  const bool is_alone = waits_for_value(operation) && !others_may_go_on_;
  const int size = decider_.graph().size();
  if (!(is_alone ? decider_.decide_alone(operation, waiting()) : decider_.decide(operation))) return false;
  ExecutionGraph& graph = decider_.graph();
  follower_.may_come_back(graph, size, decider_.alternatives_left(size));
  const Slot last = graph.last_of(thread);
  if (graph.event(last).kind != model::EventKind::kAttempt) follower_.completed(graph, thread, last, decider_.knows_more_of(thread));
  return true;
}

/// Nothing can go on: the locks and awaits at which threads stand.
std::span<const Operation> Session::waiting() {
  ExecutionGraph& graph = decider_.graph();
  waiting_.clear();
  for (int t = 0; t < graph.threads(); ++t) {
    const ThreadId thread{t};
    if (is_known_to_stand(graph, thread) || !follower_.has_started(graph, thread)) continue;
    const Operation& operation = follower_.next(graph, thread);
    if (operation.kind == OperationKind::kLock || operation.kind == OperationKind::kAwait) waiting_.push_back(operation);
  }
  return waiting_;
}

void Session::finish() {
  ExecutionGraph& graph = decider_.graph();
  Execution execution{Ending::kComplete, is_redundant_ ? Cut::kRedundant : Cut::kNothing, graph};
  const bool has_exited = follower_.program_has_exited();
  for (int t = 0; t < graph.threads(); ++t) {
    const ThreadId thread{t};
    const Slot last = graph.last_of(thread);
    if (last != kNone && graph.event(last).ends_thread) continue;
    if (!follower_.has_started(graph, thread) || follower_.has_ended(graph, thread)) continue;
    const Operation& operation = follower_.next(graph, thread);
    if (operation.kind == OperationKind::kBlock) execution.cut = std::max(execution.cut, operation.cut);
    // The end of the process takes along who waits for a lock. Who was cut off (a failed assumption, a loop that saw nothing new)
    // has its other executions, in which it goes on.
    const bool is_cut = (operation.kind == OperationKind::kBlock && operation.cut != Cut::kNothing) || operation.access.await == model::Await::kUseful;
    if (!has_exited || is_cut) execution.ending = Ending::kBlocked;
  }
  ++(execution.ending == Ending::kComplete ? counts_.complete : counts_.blocked);
  counts_.bound_was_hit |= execution.cut == Cut::kBound;
  for (Observer* observer : observers_)
    if (!observer->finished(execution)) counts_.stopped = true;
}

}  // namespace ordeal::engine
