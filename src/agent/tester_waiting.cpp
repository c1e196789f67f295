// Threads that wait when an execution of random testing is over: for ever, or stopped by the end of the process.
#include "agent/native_trace.h"
#include "agent/tester.h"
#include "runtime/debugger.h"

namespace ordeal::agent {

using runtime::Failure;
using runtime::Testing;

/// Of a thread that waits for a lock, without a time limit: who holds it. -1: it does not wait for one, or nobody in particular holds it.
int Tester::holder_waited_for(int t) {
  const runtime::Thread& thread = program_.thread(t);
  const bool waits = thread.state == runtime::Thread::State::kRunning && !Testing::can_go_on(t) && !thread.waits_with_time_limit;
  if (!waits || thread.operation.kind != engine::OperationKind::kLock) return -1;
  return program_.location_table()[thread.operation.access.location].holder;
}

/// The process has ended. Threads that wait for each other's locks, or for the lock of a thread that has ended, never had a chance; others may have
/// been meant to wait until then. (The process's end is the first thread's.)
bool Tester::waits_in_vain(int thread) {
  int holder = holder_waited_for(thread);
  if (holder > 0 && program_.thread(holder).state == runtime::Thread::State::kFinished) return true;
  for (int steps = program_.thread_count(); holder >= 0 && holder != thread && steps > 0; --steps) holder = holder_waited_for(holder);
  return holder == thread;
}

void Tester::judge_waiting(std::uint64_t number, Testing::Ending ending) {
  const Failure failure = waiting(ending);
  if (failure.sides.empty()) return;
  if (runtime::Debugger::is_on) runtime::Debugger::stop_after(program_, failure);
  if (is_new(failure, number) && !is_left_for_later({Again::Sort::kWaiting, bug_}, failure, number)) show_waiting(failure, number);
}

Failure Tester::waiting(Testing::Ending ending) {
  Failure failure;
  failure.kind = ending == Testing::Ending::kNoProgress ? trace::BugKind::kNoProgress : trace::BugKind::kDeadlock;
  for (int t = 0; t < program_.thread_count(); ++t) {
    const runtime::Thread& thread = program_.thread(t);
    if (thread.state != runtime::Thread::State::kRunning || thread.is_helper || (program_.has_exited() && !waits_in_vain(t))) continue;
    failure.sides.push_back({t, describe_waiting(t), address_of(program_, thread.operation), 0, static_cast<std::uint32_t>(thread.site)});
  }
  // Threads in a loop stand anywhere in it: the bug is that they wait.
  if (ending == Testing::Ending::kNoProgress)
    for (Failure::Side& side : failure.sides)
      if (side.what.empty()) set_loop(side);
  return failure;
}

void Tester::set_loop(Failure::Side& side) {
  const std::uintptr_t seen = program_.thread(side.thread).seen_cell;
  side.what = std::string("goes round a loop, in which nothing changes") + (seen == 0 ? "" : ": it last read {}");
  side.address = seen;
  side.site = 0;
}

void Tester::show_waiting(Failure failure, std::uint64_t number) {
  const Testing::Ending ending = record(number);
  const bool ended_so = ending == Testing::Ending::kDeadlock || ending == Testing::Ending::kNoProgress || ending == Testing::Ending::kComplete;
  if (!ended_so || waiting(ending).sides.size() != failure.sides.size()) {  // others wait, or nobody: there are no stacks to tell
    note_difference();
    if (bug_ == result_.bugs.size()) add_bug(failure, number);
    return;
  }
  for (Failure::Side& side : failure.sides) {
    if (std::string what = describe_waiting(side.thread); !recorded_.events.empty() && !what.empty()) side.what = std::move(what);  // with the names of the trace
    side.stack = Testing::stack_of(program_, side.thread);
  }
  add_bug(failure, number);
}

}  // namespace ordeal::agent
