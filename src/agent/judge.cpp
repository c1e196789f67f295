#include "agent/judge.h"

#include <algorithm>

#include "agent/native_trace.h"
#include "agent/no_progress.h"
#include "agent/output.h"
#include "engine/follower.h"
#include "runtime/watchdog.h"
#include "trace/run_result_format.h"

namespace ordeal::agent {

using engine::Cut;
using engine::Execution;
using engine::OperationKind;
using runtime::Failure;

bool Judge::finished(const Execution& execution) {
  result_.threads = std::max(result_.threads, static_cast<std::uint32_t>(execution.graph.threads()));
  if (!program_.refused().empty()) return false;
  if (const Failure* failure = program_.failure(); failure != nullptr) return report(execution, *failure);
  if (program_.has_exited()) return judge_exited(execution);
  return execution.ending == engine::Ending::kComplete || judge_blocked(execution);
}

/// The process has ended, and who still waits was stopped with it. But threads that wait for each other's locks never had a
/// chance.
bool Judge::judge_exited(const Execution& execution) {
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
    if (at != waiting.end() && at->thread == thread.thread) add_side(failure, thread);
  }
  return failure.sides.empty() || report(execution, failure);
}

void Judge::add_side(Failure& failure, const Waiting& thread) {
  const std::string what = describe_wait(program_, thread.operation);
  if (what.empty()) return;
  failure.sides.push_back({thread.thread, what, address_of(program_, thread.operation), program_.thread(thread.thread).stack, thread.operation.access.site});
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

/// Nothing can go on. An assumption that failed, a bound, or a thread that would give up waiting (another execution) says that
/// this one is not to be judged.
bool Judge::judge_blocked(const Execution& execution) {
  const std::vector<Waiting> waiting = waiting_threads(execution);
  for (const Waiting& thread : waiting)
    if ((thread.operation.kind == OperationKind::kBlock && thread.operation.cut != Cut::kSpin) ||
        program_.thread(thread.thread).waits_with_time_limit)
      return true;
  std::vector<Spinner> spinners;
  for (const Waiting& thread : waiting)
    if (thread.operation.kind == OperationKind::kBlock)
      spinners.push_back({model::ThreadId{thread.thread}, program_.thread(thread.thread).spin.first_event});
  // Who waits for a value that is on its way is no bug: another execution goes on from there.
  if (!spinners.empty() && !wait_for_ever(consistency_, execution.graph, spinners)) return true;
  Failure failure;
  failure.kind = spinners.empty() ? trace::BugKind::kDeadlock : trace::BugKind::kNoProgress;
  for (const Waiting& thread : waiting) add_side(failure, thread);
  // The one who waits in a loop comes first.
  std::stable_sort(failure.sides.begin(), failure.sides.end(), [&](const Failure::Side& a, const Failure::Side& b) {
    return program_.thread(a.thread).operation.kind == OperationKind::kBlock && program_.thread(b.thread).operation.kind != OperationKind::kBlock;
  });
  return failure.sides.empty() || report(execution, failure);
}

/// A bug is its kind and the places in the source, never addresses.
bool Judge::is_known(const Failure& failure) {
  std::vector<std::uint32_t> sites;
  for (const Failure::Side& side : failure.sides) sites.push_back(side.site);
  std::sort(sites.begin(), sites.end());
  for (const Known& known : known_) {
    if (known.kind != failure.kind || known.sites != sites) continue;
    ++result_.bugs[known.bug].count;
    return true;
  }
  known_.push_back({failure.kind, sites, result_.bugs.size()});
  return false;
}

bool Judge::report(const Execution& execution, const Failure& failure) {
  if (is_known(failure)) return true;
  const bool is_threads = program_.failure() != nullptr;  // found by a thread, so it must come again
  const trace::BugKind kind = failure.kind;
  const int thread = failure.sides.empty() ? -1 : failure.sides[0].thread;
  record(execution);
  const Failure* again = program_.failure();
  if (is_threads && again == nullptr && kind != trace::BugKind::kNoProgress) {
    result_.cannot_check = "not deterministic: a bug (" + std::string(trace::word(kind)) + ") did not happen again when the same execution was run again";
    result_.parties.push_back({thread, "ran into it", 0, {}});
    return false;
  }
  if (again != nullptr) {
    result_.bugs.push_back(make_bug(execution, *again));
  } else {
    Failure with_stacks = failure;
    for (Failure::Side& side : with_stacks.sides) side.stack = program_.thread(side.thread).stack;
    result_.bugs.push_back(make_bug(execution, with_stacks));
  }
  program_.set_recording(false);
  runtime::Watchdog::end_recording();
  return options_.keep_going;
}

void Judge::record(const Execution& execution) {
  Output::clear();
  // A thread that ran into a bug of this kind runs without end; the judge's own are about threads that wait.
  const Failure* failure = program_.failure();
  runtime::Watchdog::begin_recording(failure != nullptr && failure->kind == trace::BugKind::kNoProgress);
  program_.set_recording(true);
  engine::Follower follower(program_);
  follower.lose_track(execution.graph);
  for (int t = 0; t < execution.graph.threads(); ++t)
    if (follower.has_started(execution.graph, model::ThreadId{t})) follower.next(execution.graph, model::ThreadId{t});
}

trace::Bug Judge::make_bug(const Execution& execution, const Failure& failure) {
  trace::Bug bug;
  bug.kind = failure.kind;
  bug.message = failure.message;
  bug.address = failure.address;
  bug.size = static_cast<std::uint32_t>(failure.size);
  for (const Failure::Side& side : failure.sides)
    bug.parties.push_back({side.thread, side.what, side.address, runtime::Stacks::get(side.stack)});
  bug.output = Output::text();
  bug.trace = native_trace(program_, execution, std::string(model::name_of(options_.model)));
  add_object(bug.trace, failure.address);
  return bug;
}

}  // namespace ordeal::agent
