#include "agent/judge.h"

#include <algorithm>
#include <utility>

#include "agent/endless_turns.h"
#include "agent/leaks.h"
#include "agent/limits.h"
#include "agent/native_trace.h"
#include "agent/no_progress.h"
#include "agent/output.h"
#include "engine/follower.h"
#include "runtime/debugger.h"
#include "runtime/heap.h"
#include "runtime/watchdog.h"
#include "trace/run_result_format.h"

namespace ordeal::agent {

using engine::Cut;
using engine::Execution;
using engine::OperationKind;
using runtime::Failure;

bool Judge::finished(const Execution& execution) {
  result_.threads = std::max(result_.threads, static_cast<std::uint32_t>(execution.graph.threads()));
  result_.events = std::max(result_.events, static_cast<std::uint32_t>(execution.graph.size()));
  if (!program_.refused().empty()) return false;
  const bool is_seen = passes_.has_seen(execution.graph);
  is_repeated_ = is_seen && goes_on_from_first_;
  if (!is_seen) passes_.count(execution.ending);
  const std::uint64_t reports = reports_, ended_waiting = ended_waiting_;
  const bool goes_on = judge(execution);
  if (!is_seen && ended_waiting_ != ended_waiting) passes_.count_as_complete();
  return goes_on && (reports_ != reports || ask_observer(execution));
}

void Judge::begin_round() {
  ended_waiting_ = 0;
  passes_.begin_round();
  goes_on_from_first_ = std::exchange(begins_second_pass_, false);
  if (goes_on_from_first_) return;
  forget_shown();
  for (trace::Bug& bug : result_.bugs) bug.count = 0;
  if (options_.sc_analysis || options_.require_sc) sc_watch_.begin_round(result_);
  if (observer_.is_loaded()) observer_.begin();
}

bool Judge::ask_observer(const Execution& execution) {
  if (!observer_.is_loaded() || is_repeated_) return true;
  const ObserverPlugin::Opinion opinion = observer_.look_at(execution, program_.location_table());
  if (opinion.kind == ORDEAL_ENOUGH) result_.bounds.push_back("the observer '" + std::string(observer_.name()) + "', which had seen enough");
  if (opinion.kind != ORDEAL_BUG) return opinion.kind != ORDEAL_ENOUGH;
  Failure failure;
  failure.kind = trace::BugKind::kObserver;
  failure.message = "'" + std::string(observer_.name()) + "'" + (opinion.message.empty() ? "" : ": " + opinion.message);
  return report(execution, failure);
}

bool Judge::judge(const Execution& execution) {
  if (const Failure* failure = program_.failure(); failure != nullptr) return report(execution, *failure);
  if (program_.given_back().are_there()) [[unlikely]] {
    for (const std::uintptr_t object : objects_of_endless_turns(program_, execution.graph)) program_.given_back().give_up(object);
  }
  if (options_.show && execution.ending == engine::Ending::kComplete && !is_repeated_) show(execution);
  if (program_.has_exited()) {
    const std::uint64_t ended_waiting = ended_waiting_;
    const bool goes_on = judge_exited(execution) && judge_leaks(execution);
    const bool is_complete = execution.ending == engine::Ending::kComplete || ended_waiting_ > ended_waiting;
    return goes_on && (!is_complete || judge_sc(execution));
  }
  return execution.ending == engine::Ending::kComplete ? judge_leaks(execution) && judge_sc(execution) : judge_blocked(execution);
}

bool Judge::judge_sc(const Execution& execution) {
  if ((!options_.sc_analysis && !options_.require_sc) || is_repeated_) return true;
  if (sc_watch_.look_at(execution.graph, result_) != analysis::Sc::kNo) return true;
  if (options_.require_sc) {
    Failure failure;
    failure.kind = trace::BugKind::kNotSc;
    return report(execution, failure);
  }
  if (!options_.sc_shown || !result_.not_sc.empty()) return true;
  const double started = now();
  result_.not_sc.push_back(recorded_trace(execution));
  seconds_showing_ += now() - started;
  return true;
}

/// Not after _exit, which leaves everything as it is.
bool Judge::judge_leaks(const Execution& execution) {
  if (!options_.leaks || (program_.has_exited() && !program_.has_ended_in_order())) return true;
  for (const Leak& leak : find_leaks(program_, execution, consistency_)) {
    Failure failure;
    failure.kind = trace::BugKind::kLeak;
    failure.address = leak.block.address;
    failure.size = leak.block.size;
    if (leak.others > 0) failure.message = leak.others == 1 ? "nor is another that only it leads to" : "nor are " + std::to_string(leak.others) + " that only it leads to";
    failure.sides.push_back({leak.block.thread, "allocates it", failure.address, 0, leak.block.origin.site, static_cast<int>(leak.block.clock)});
    if (!report(execution, failure)) return false;
  }
  return true;
}

void Judge::forget() {
  known_.clear();
  result_.bugs.clear();
  forget_shown();
  result_.threads = result_.events = 0;
}

namespace {

constexpr std::size_t kMostShown = 1000;
constexpr const char* kMostShownNote = "the first 1,000 executions are shown";

}  // namespace

void Judge::show(const Execution& execution) {
  if (result_.shown.size() == kMostShown) return;
  result_.shown.push_back(recorded_trace(execution));
  if (result_.shown.size() == kMostShown) result_.notes.emplace_back(kMostShownNote);
}

void Judge::forget_shown() {
  result_.shown.clear();
  std::erase(result_.notes, kMostShownNote);
}

/// The process has ended, and who still waits was stopped with it. That is what detached threads are for, and what exit() is for. But
/// if main has returned, threads that somebody could join should be able to end.
bool Judge::judge_exited(const Execution& execution) {
  std::vector<Waiting> waiting = waiting_threads(execution);
  if (waiting.empty()) return true;
  if (!wait_all_for_ever(execution, waiting)) return judge_locks_left(execution);
  std::erase_if(waiting, [&](const Waiting& thread) { return is_background(thread, execution.graph); });
  if (waiting.empty() || !program_.main_has_returned()) {
    if (execution.ending == engine::Ending::kBlocked) ++ended_waiting_;
    return judge_locks_left(execution);
  }
  Failure failure = waiting_failure(execution, waiting);
  failure.message = "main has returned without a join";
  return failure.sides.empty() || report(execution, failure);
}

/// A thread that is meant to be stopped by the end of the process: it is detached, or goes round a loop that locks and unlocks (whoever
/// only waits for the others does not do that).
bool Judge::is_background(const Waiting& thread, const model::ExecutionGraph& graph) {
  if (program_.thread(thread.thread).is_detached) return true;
  if (thread.operation.kind != OperationKind::kBlock || thread.operation.cut != Cut::kSpin) return false;
  const int first = static_cast<int>(program_.thread(thread.thread).spin.first_event);
  for (model::Slot at = graph.last_of(model::ThreadId{thread.thread}); at != model::kNone && graph.event(at).index >= first; at = graph.event(at).previous)
    if (graph.event(at).kind == model::EventKind::kRead && program_.location_table()[graph.event(at).location].sort == runtime::LocationSort::kMutex) return true;
  return false;
}

/// Threads that wait for each other's locks, or for the lock of a thread that has ended, never had a chance.
bool Judge::judge_locks_left(const Execution& execution) {
  const std::vector<Waiting> waiting = waiting_threads(execution);
  const auto find = [&](int thread) {
    return std::find_if(waiting.begin(), waiting.end(), [&](const Waiting& w) { return w.thread == thread && w.operation.kind == OperationKind::kLock; });
  };
  Failure failure;
  failure.kind = trace::BugKind::kDeadlock;
  for (const Waiting& thread : waiting) {
    auto at = find(thread.thread);
    for (std::size_t steps = 0; at != waiting.end() && steps < waiting.size(); ++steps) {
      at = find(program_.location_table()[at->operation.access.location].holder);
      if (at != waiting.end() && at->thread == thread.thread) break;
    }
    const bool in_cycle = at != waiting.end() && at->thread == thread.thread;
    if (in_cycle || waits_for_dead_holder(thread)) add_side(failure, thread, execution.graph);
  }
  return failure.sides.empty() || report(execution, failure);
}

/// Of a thread that waits for a notification.
LostNotification::Fate Judge::fate_of(const Waiting& thread, const model::ExecutionGraph& graph) {
  const model::ThreadId id{thread.thread};
  const std::uintptr_t address = program_.location_table()[graph.event(graph.last_of(id)).location].address;
  return LostNotification(graph, consistency_, address, program_.notifications()).fate_of(id);
}

/// A lock of a thread that has ended: nobody will ever unlock it. (The process's end is the first thread's.)
bool Judge::waits_for_dead_holder(const Waiting& thread) {
  if (thread.operation.kind != OperationKind::kLock) return false;
  const int holder = program_.location_table()[thread.operation.access.location].holder;
  return holder > 0 && program_.thread(holder).state == runtime::Thread::State::kFinished;
}

namespace {

/// What a waiting loop reads first in its last iteration.
model::LocationId waited_for(const model::ExecutionGraph& graph, const Spinner& spinner) {
  model::LocationId location = model::kNoLocation;
  for (model::Slot at = graph.last_of(spinner.thread); at != model::kNone && graph.event(at).index >= spinner.first_event;
       at = graph.event(at).previous)
    if (graph.event(at).kind == model::EventKind::kRead) location = graph.event(at).location;
  return location;
}

/// How many events of the thread in the trace come before its clock: attempts are no part of it.
std::int32_t events_before(const model::ExecutionGraph& graph, int thread, int clock) {
  std::int32_t count = 0;
  for (model::Slot at = graph.last_of(model::ThreadId{thread}); at != model::kNone; at = graph.event(at).previous) {
    const model::Event& event = graph.event(at);
    if (event.kind != model::EventKind::kAttempt && (clock < 0 || event.index < clock)) ++count;
  }
  return count;
}

}  // namespace

void Judge::add_side(Failure& failure, const Waiting& thread, const model::ExecutionGraph& graph) {
  engine::Operation operation = thread.operation;
  if (operation.cut == Cut::kUnnotified) operation.access.location = graph.event(graph.last_of(model::ThreadId{thread.thread})).location;
  else if (operation.kind == OperationKind::kBlock)
    operation.access.location = waited_for(graph, {model::ThreadId{thread.thread}, program_.thread(thread.thread).spin.first_event});
  std::string what = describe_wait(program_, thread.thread, operation);
  if (thread.fate == LostNotification::Fate::kPassedOver)
    what = describe_lost(true);
  if (what.empty()) return;
  failure.sides.push_back({thread.thread, what, address_of(program_, operation), program_.thread(thread.thread).stack, operation.access.site});
}

std::vector<Judge::Waiting> Judge::waiting_threads(const Execution& execution) {
  std::vector<Waiting> waiting;
  for (int t = 0; t < program_.thread_count(); ++t) {
    const runtime::Thread& thread = program_.thread(t);
    if (thread.state == runtime::Thread::State::kRunning) waiting.push_back({t, thread.operation});
  }
  (void)execution;
  return waiting;
}

bool Judge::judge_blocked(const Execution& execution) {
  std::vector<Waiting> waiting = waiting_threads(execution);
  if (!wait_all_for_ever(execution, waiting)) return true;
  const Failure failure = waiting_failure(execution, waiting);
  return failure.sides.empty() || report(execution, failure);
}

/// Nothing can go on. An assumption that failed, a bound, or a thread that would give up waiting (another execution) says that
/// this one is not to be judged.
bool Judge::wait_all_for_ever(const Execution& execution, std::vector<Waiting>& waiting) {
  if (program_.repeated_stores().must_begin_anew() || program_.own_flags().must_begin_anew()) return false;  // a turn that was taken for one in vain is not
  if (execution.cut >= Cut::kRedundant) return false;
  int unnotified = 0, passed_over = 0;
  for (Waiting& thread : waiting) {
    if (program_.thread(thread.thread).waits_with_time_limit) return false;
    if (thread.operation.kind != OperationKind::kBlock || thread.operation.cut == Cut::kSpin) continue;
    if (thread.operation.cut != Cut::kUnnotified) return false;
    thread.fate = fate_of(thread, execution.graph);
    if (thread.fate == LostNotification::Fate::kGoesOn) return false;
    ++unnotified;
    passed_over += thread.fate == LostNotification::Fate::kPassedOver ? 1 : 0;
  }
  if (passed_over > 0 && unnotified > 1) return false;  // a notification that chose one has not chosen the other: look at one alone
  std::vector<Spinner> spinners;
  std::vector<model::LocationId> locks;
  for (const Waiting& thread : waiting) {
    const bool is_in_loop = (thread.operation.kind == OperationKind::kBlock && thread.operation.cut == Cut::kSpin) || thread.operation.access.await == model::Await::kUseful;
    if (is_in_loop)
      spinners.push_back({model::ThreadId{thread.thread}, program_.thread(thread.thread).spin.first_event});
    if (thread.operation.kind == OperationKind::kLock) locks.push_back(thread.operation.access.location);
  }
  // Who waits for a value that is on its way is no bug: another execution goes on from there.
  if (!spinners.empty() && !wait_for_ever(consistency_, execution.graph, spinners, locks)) return false;
  // Values that it waits for were learnt (waiting_places.h). To explain it, the loop itself must be seen.
  const bool waits_for_useful = std::any_of(waiting.begin(), waiting.end(), [](const Waiting& thread) { return thread.operation.access.await == model::Await::kUseful; });
  if (waits_for_useful) program_.waiting_places().give_up();
  return !waits_for_useful;
}

Failure Judge::waiting_failure(const Execution& execution, const std::vector<Waiting>& waiting) {
  Failure failure;
  const bool is_spinning = std::any_of(waiting.begin(), waiting.end(), [](const Waiting& thread) { return thread.operation.kind == OperationKind::kBlock && thread.operation.cut == Cut::kSpin; });
  failure.kind = is_spinning ? trace::BugKind::kNoProgress : trace::BugKind::kDeadlock;
  for (const Waiting& thread : waiting) add_side(failure, thread, execution.graph);
  // The one who waits in a loop comes first; who waits for a thread only waits because of the others.
  const auto rank = [&](const Failure::Side& side) {
    const OperationKind kind = program_.thread(side.thread).operation.kind;
    return kind == OperationKind::kBlock ? 0 : kind == OperationKind::kJoin ? 2 : 1;
  };
  std::stable_sort(failure.sides.begin(), failure.sides.end(), [&](const Failure::Side& a, const Failure::Side& b) { return rank(a) < rank(b); });
  return failure;
}

namespace {

std::vector<std::uint32_t> sites_of(const Failure& failure) {
  std::vector<std::uint32_t> sites;
  for (const Failure::Side& side : failure.sides) sites.push_back(side.site);
  std::sort(sites.begin(), sites.end());
  if (failure.kind == trace::BugKind::kObserver) sites.push_back(static_cast<std::uint32_t>(std::hash<std::string>{}(failure.message)));  // its words tell
  return sites;
}

}  // namespace

/// A bug is its kind and the places in the source, never addresses.
bool Judge::is_known(const Failure& failure) {
  const std::vector<std::uint32_t> sites = sites_of(failure);
  for (const Known& known : known_) {
    if (known.kind != failure.kind || known.sites != sites) continue;
    if (!is_repeated_) ++result_.bugs[known.bug].count;
    return true;
  }
  known_.push_back({failure.kind, sites, result_.bugs.size()});
  return false;
}

std::optional<trace::Bug> Judge::recorded(const Execution& execution, const Failure& failure) {
  const bool is_threads = program_.failure() != nullptr;  // found by a thread, so it must come again
  Failure with_stacks = failure;  // the program forgets its own when it runs again
  record(execution);
  const Failure* again = program_.failure();
  std::optional<trace::Bug> bug;
  if (again != nullptr) {
    bug = make_bug(execution, *again);
  } else if (!is_threads || with_stacks.kind == trace::BugKind::kNoProgress) {
    for (Failure::Side& side : with_stacks.sides)
      side.stack = with_stacks.kind == trace::BugKind::kLeak ? runtime::ProgramHeap::find(side.address).allocated : program_.thread(side.thread).stack;
    bug = make_bug(execution, with_stacks);
  }
  program_.set_recording(false);
  runtime::Watchdog::end_recording();
  return bug;
}

bool Judge::report(const Execution& execution, const Failure& failure) {
  ++reports_;
  if (runtime::Debugger::is_on) runtime::Debugger::stop_after(program_, failure);
  if (smaller_ != nullptr && smaller_->is_on()) {
    consider(execution, failure);
    return true;
  }
  if (is_known(failure)) return true;
  const trace::BugKind kind = failure.kind;
  const int thread = failure.sides.empty() ? -1 : failure.sides[0].thread;
  std::optional<trace::Bug> bug = recorded(execution, failure);
  if (!bug) {
    result_.cannot_check = "not deterministic: a bug (" + std::string(trace::word(kind)) + ") did not happen again when the same execution was run again";
    result_.parties.push_back({thread, "ran into it", 0, {}});
    return false;
  }
  result_.bugs.push_back(std::move(*bug));
  return options_.keep_going || (found_ != nullptr && found_(found_data_, execution.graph));
}

void Judge::consider(const Execution& execution, const Failure& failure) {
  const Known& first = known_.front();
  if (failure.kind != first.kind || sites_of(failure) != first.sites || !smaller_->improves(execution.graph)) return;
  if (std::optional<trace::Bug> bug = recorded(execution, failure)) result_.bugs.front() = std::move(*bug);
}

trace::Trace Judge::recorded_trace(const Execution& execution) {
  record(execution, Stacks::kOfEvents);
  trace::Trace trace = native_trace(program_, execution, std::string(model::name_of(options_.model)));
  program_.set_recording(false);
  runtime::Watchdog::end_recording();
  return trace;
}

void Judge::record(const Execution& execution, Stacks stacks) {
  Output::clear();
  Output::mute();
  // A thread that ran into a bug of this kind runs without end; the judge's own are about threads that wait.
  const Failure* failure = program_.failure();
  runtime::Watchdog::begin_recording(failure != nullptr && failure->kind == trace::BugKind::kNoProgress);
  program_.set_recording(true);
  runtime::Stacks::is_recording_accesses = stacks == Stacks::kOfAll;
  engine::Follower follower(program_);
  follower.lose_track(execution.graph);
  for (int t = 0; t < execution.graph.threads(); ++t)
    if (follower.has_started(execution.graph, model::ThreadId{t})) follower.next(execution.graph, model::ThreadId{t});
  Output::unmute();
}

trace::Bug Judge::make_bug(const Execution& execution, const Failure& failure) {
  trace::Bug bug;
  bug.kind = failure.kind;
  bug.message = failure.message;
  bug.address = failure.address;
  bug.size = static_cast<std::uint32_t>(failure.size);
  for (const Failure::Side& side : failure.sides)
    bug.parties.push_back({side.thread, side.what, side.address, events_before(execution.graph, side.thread, side.clock), runtime::Stacks::get(side.stack), side.file, side.line});
  bug.output = Output::text();
  bug.trace = native_trace(program_, execution, std::string(model::name_of(options_.model)));
  // The first access came when the variable was surely there.
  std::uint32_t first = 0;
  for (const Failure::Side& side : failure.sides)
    if (first == 0 || side.stack < first) first = side.stack;
  add_object(bug.trace, failure.address, first);
  if (failure.kind == trace::BugKind::kOutOfBounds) add_nearest_block(bug.trace, failure.address);
  return bug;
}

}  // namespace ordeal::agent
