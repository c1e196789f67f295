#include "engine/session.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace ordeal::engine {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;

const Counts& Session::run() {
  declare();
  while (!counts_.stopped && decider_.advance()) {
    rewind();
    if (run_execution()) finish();
    else ++counts_.given_up;
    if (stop_ != nullptr && stop_(stop_data_)) counts_.stopped = true;
  }
  return counts_;
}

/// One execution: step by step until no thread can go on, or the decider gives it up.
bool Session::run_execution() {
  for (;;) {
    const ThreadId thread = next_thread();
    if (thread == model::kNoThread) return true;
    if (!step(thread)) return false;
  }
}

/// The fixed rule `next` of the search: the runnable thread with the lowest number.
ThreadId Session::next_thread() {
  ExecutionGraph& graph = decider_.graph();
  for (int t = 0; t < graph.threads(); ++t) {
    const ThreadId thread{t};
    const Slot last = graph.last_of(thread);
    if (last == kNone) {
      if (!has_started(thread)) continue;
    } else if (graph.event(last).ends_thread || graph.event(last).blocks_thread) {
      continue;
    }
    bring_up_to_date(thread);
    const Operation& operation = program_.next(thread);
    if (operation.kind == OperationKind::kFinish || operation.kind == OperationKind::kBlock) continue;
    if (operation.kind == OperationKind::kJoin && !has_ended(operation.access.other)) continue;
    return thread;
  }
  return model::kNoThread;
}

bool Session::has_started(ThreadId thread) const {
  return number(thread) < program_.initial_threads() || decider_.graph().creation_of(thread) != kNone;
}

bool Session::has_ended(ThreadId thread) {
  const Slot last = decider_.graph().last_of(thread);
  if (last != kNone) return decider_.graph().event(last).ends_thread;
  if (!has_started(thread)) return false;
  bring_up_to_date(thread);
  return program_.next(thread).kind == OperationKind::kFinish;  // a thread without any operation
}

bool Session::step(ThreadId thread) {
  const Operation& operation = program_.next(thread);
  ExecutionGraph& graph = decider_.graph();
  if (number(operation.access.location) >= graph.locations())
    graph.declare_location(operation.access.location, program_.initial_value(operation.access.location));
  if (operation.kind == OperationKind::kCreate && number(operation.access.other) >= graph.threads()) {
    graph.declare_thread(operation.access.other);
    current_.resize(static_cast<std::size_t>(graph.threads()), 1);
  }
  if (!decider_.decide(operation)) return false;
  give_result(thread, decider_.graph().last_of(thread));
  return true;
}

void Session::finish() {
  ExecutionGraph& graph = decider_.graph();
  Execution execution{Ending::kComplete, Cut::kNothing, graph};
  for (int t = 0; t < graph.threads(); ++t) {
    const ThreadId thread{t};
    if (!has_started(thread) || has_ended(thread)) continue;
    execution.ending = Ending::kBlocked;
    bring_up_to_date(thread);
    const Operation& operation = program_.next(thread);
    if (operation.kind == OperationKind::kBlock) execution.cut = std::max(execution.cut, operation.cut);
  }
  ++(execution.ending == Ending::kComplete ? counts_.complete : counts_.blocked);
  counts_.bound_was_hit |= execution.cut == Cut::kBound;
  for (Observer* observer : observers_)
    if (!observer->finished(execution)) counts_.stopped = true;
}

// --- the program follows the graph ---------------------------------------------------------------------------------------

void Session::declare() {
  ExecutionGraph& graph = decider_.graph();
  program_.begin();
  const int threads = program_.initial_threads();
  if (threads > 0) graph.declare_thread(ThreadId{threads - 1});
  for (int l = 0; l < program_.locations(); ++l) graph.declare_location(LocationId{l}, program_.initial_value(LocationId{l}));
  current_.assign(static_cast<std::size_t>(graph.threads()), 1);
  const std::size_t size = program_.checkpoint_size();
  graph.set_payload_size(size);
  initial_.resize(size * static_cast<std::size_t>(threads));
  for (int t = 0; size > 0 && t < threads; ++t) program_.save(ThreadId{t}, initial_.data() + size * static_cast<std::size_t>(t));
}

void Session::rewind() {
  current_.assign(static_cast<std::size_t>(decider_.graph().threads()), 0);
  if (program_.checkpoint_size() == 0) run_again_from_start();
}

void Session::run_again_from_start() {
  ExecutionGraph& graph = decider_.graph();
  program_.begin();
  for (int i = 0; i < graph.size(); ++i) {
    const Event& event = graph.event(Slot{i});
    if (event.kind == EventKind::kRead && event.is_rmw) continue;  // its write completes the operation
    program_.next(event.thread);
    give_result(event.thread, Slot{i});
  }
  std::fill(current_.begin(), current_.end(), 1);
}

/// Restores the last checkpoint of the thread, then lets it run through the operations behind it.
void Session::bring_up_to_date(ThreadId thread) {
  char& current = current_[static_cast<std::size_t>(number(thread))];
  if (current != 0) return;
  ExecutionGraph& graph = decider_.graph();
  const Slot last = graph.last_of(thread);
  Slot saved = last;
  while (saved != kNone && !graph.event(saved).has_payload) saved = graph.event(saved).previous;
  program_.restore(thread, saved != kNone ? graph.payload(saved)
                                          : initial_.data() + program_.checkpoint_size() * static_cast<std::size_t>(number(thread)));
  current = 1;
  if (saved == last) return;
  // Seldom more than one: the operation whose read was revisited.
  behind_.clear();
  for (Slot at = last; at != saved; at = graph.event(at).previous) behind_.push_back(at);
  for (; !behind_.empty(); behind_.pop_back()) {
    const Event& event = graph.event(behind_.back());
    if (event.kind == EventKind::kRead && event.is_rmw) continue;
    program_.next(thread);
    give_result(thread, behind_.back());
  }
}

void Session::give_result(ThreadId thread, Slot last) {
  ExecutionGraph& graph = decider_.graph();
  const Event& event = graph.event(last);
  const bool is_rmw_write = event.kind == EventKind::kWrite && event.is_rmw;
  Result result;
  result.value = is_rmw_write ? graph.event(event.rf).value : event.value;
  result.succeeded = event.access.function != model::RmwFunction::kCompareExchange || is_rmw_write;
  program_.resume(thread, result);
  mark_end(thread, last);
}

void Session::mark_end(ThreadId thread, Slot last) {
  ExecutionGraph& graph = decider_.graph();
  Event& event = graph.event(last);
  const OperationKind next = program_.next(thread).kind;
  event.ends_thread = next == OperationKind::kFinish;
  event.blocks_thread = next == OperationKind::kBlock;
  if (graph.payload_size() == 0) return;
  program_.save(thread, graph.payload(last));
  event.has_payload = true;
}

}  // namespace ordeal::engine
