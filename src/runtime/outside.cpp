#include "runtime/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "runtime/access.h"
#include "runtime/arrived_signals.h"
#include "runtime/cancellation.h"
#include "runtime/forked.h"
#include "runtime/libc_state.h"
#include "runtime/signals.h"
#include "runtime/sync_operations.h"
#include "runtime/testing.h"
#include "runtime/timers.h"
#include "runtime/virtual_time.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {
namespace {

struct Waiting {
  int thread;
  bool looks_again;  // after a little while
  std::int64_t deadline;
  std::vector<pollfd> files;
};
std::vector<Waiting> waits;
std::vector<pollfd> all_files;
bool was_ready = false;           // at the last look, somebody's file or time was
std::int64_t waited_in_vain = 0;  // for how long nobody's was, in waits that look again

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kOften = 20 * kMillisecond;
constexpr std::int64_t kLongest = 30 * kSecond;  // that the process waits for something that has no deadline
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::int64_t clock_time(clockid_t clock) {
  timespec time{};
  syscall(SYS_clock_gettime, clock, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

/// As poll, in the system.
int poll_files(pollfd* files, std::size_t count, std::int64_t nanoseconds) {
  const timespec timeout{nanoseconds / kSecond, nanoseconds % kSecond};
  return static_cast<int>(syscall(SYS_ppoll, files, count, &timeout, nullptr, 0));
}

bool would_wait(int file) {
  struct stat status {};
  const long flags = syscall(SYS_fcntl, file, F_GETFL);
  if (flags < 0 || (flags & O_NONBLOCK) != 0) return false;
  return syscall(SYS_fstat, file, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool is_alone() { return !is_checked() || !is_testing || Testing::is_alone(); }

void wait_until_woken(Waiting wait) {
  Cancellation::point();
  const int error = errno;
  if (!Signals::must_look()) {
    wait.thread = NativeProgram::current->id;
    waits.push_back(std::move(wait));
    ++Outside::waiting;
    Testing::wait_outside(*NativeProgram::current);
  }
  Watchdog::stop_if_wanted();
  Cancellation::point();
  errno = error;
}

void synchronise(model::MemoryOrder order, std::uintptr_t site) {
  if (is_alone()) return;
  const int error = errno;
  model::Access access = rmw_on(&Outside::kFiles, LocationSort::kAnnotation, model::RmwFunction::kAdd, 0);
  access.order = access.failure_order = order;
  sync_operation(engine::OperationKind::kRmw, access, site);
  errno = error;
}

bool is_interrupted(ArrivedSignals::Call call) {
  if (!ArrivedSignals::is_interrupted(call)) return false;
  errno = EINTR;
  return true;
}

Outside::Wait wait_for(const pollfd* files, nfds_t count, std::int64_t deadline, ArrivedSignals::Call call) {
  std::vector<pollfd> wanted(files, files + count);
  ArrivedSignals::is_interrupted(ArrivedSignals::Call::kEnds);  // what came before does not interrupt it
  for (;;) {
    if (poll_files(wanted.data(), count, 0) != 0) return Outside::Wait::kReady;  // an error is the caller's
    if (deadline != 0 && Outside::now() >= deadline) return Outside::Wait::kTimeOut;
    wait_until_woken({-1, false, deadline, wanted});
    if (is_interrupted(call)) return Outside::Wait::kInterrupted;
  }
}

}  // namespace

std::int64_t Outside::now() { return clock_time(CLOCK_MONOTONIC); }
std::int64_t Outside::deadline_in(std::int64_t nanoseconds) { return now() + std::max<std::int64_t>(nanoseconds, 1); }
/// The two clocks are decades apart.
std::int64_t Outside::deadline_of(const timespec* time) {
  constexpr std::int64_t kYears = 300'000'000 * kSecond;
  const std::int64_t given = time->tv_sec >= kNever / kSecond ? kNever : time->tv_sec * kSecond + time->tv_nsec;
  const std::int64_t real = clock_time(CLOCK_REALTIME);
  return given < real - kYears ? given : deadline_in(given - real);
}

bool Outside::wait_for_file(int file, short events) {
  if (is_alone() || !would_wait(file)) return true;
  pollfd wanted{file, events, 0};
  return wait_for(&wanted, 1, 0, ArrivedSignals::Call::kStartsAgain) != Wait::kInterrupted;
}

Outside::Wait Outside::wait_for_files(const pollfd* files, nfds_t count, std::int64_t deadline) { return wait_for(files, count, deadline, ArrivedSignals::Call::kEnds); }

bool Outside::wait_a_little() {
  if (is_alone()) {
    poll_files(nullptr, 0, kMillisecond);
    return true;
  }
  ArrivedSignals::is_interrupted(ArrivedSignals::Call::kEnds);
  wait_until_woken({-1, true, 0, {}});
  return !is_interrupted(ArrivedSignals::Call::kStartsAgain);
}

bool Outside::sleep_until(std::int64_t deadline) {
  while (now() < deadline) {
    if (is_alone()) poll_files(nullptr, 0, deadline - now());
    else wait_until_woken({-1, false, deadline, {}});
    Watchdog::stop_if_wanted();
    if (is_interrupted(ArrivedSignals::Call::kEnds)) return false;
  }
  return true;
}

void Outside::release(std::uintptr_t site) {
  synchronise(model::MemoryOrder::kRelease, site);
  is_changed = true;
}
void Outside::release_before_output(std::FILE* file, std::uintptr_t site) {
  if (file == nullptr || is_alone()) return;
  if (const int number = fileno(file); number > 2 && would_wait(number)) release(site);
}
void Outside::acquire(std::uintptr_t site) { synchronise(model::MemoryOrder::kAcquire, site); }

void Outside::forget_waits() {
  waits.clear();
  waiting = 0;
}

void Outside::forget_wait(int thread) { waiting -= static_cast<int>(std::erase_if(waits, [&](const Waiting& wait) { return wait.thread == thread; })); }

void Outside::begin() {
  forget_waits();
  is_changed = false;
  waited_in_vain = 0;
  virtual_time = 0;
}

/// One of those that wait does what the signals ask for.
bool Outside::wake_for_signals(NativeProgram& program) {
  if (wake_who_waits_for_signals()) return true;
  if (!waits.empty()) {
    Testing::wake(waits.back().thread);
    waits.pop_back();
    --waiting;
    return true;
  }
  for (int t = 0; t < program.thread_count(); ++t) {
    const Thread& thread = program.thread(t);
    if (thread.state != Thread::State::kRunning || thread.is_helper || Testing::is_left_behind(t)) continue;
    Testing::interrupt(t);
    return true;
  }
  return false;
}

namespace {

/// The threads that wait for a lock or a notification, but not for ever.
template <class Visit>
void for_each_with_limit(NativeProgram& program, Visit&& visit) {
  if (!Outside::real_time) return;
  for (int t = 0; t < program.thread_count(); ++t) {
    Thread& thread = program.thread(t);
    if (thread.state == Thread::State::kRunning && thread.waits_with_time_limit && thread.deadline != 0 && !thread.has_timed_out) visit(thread);
  }
}

/// Asks the system about the files of all; returns whether somebody can go on, who is woken then.
bool ask(std::int64_t patience) {
  all_files.clear();
  for (const Waiting& wait : waits) all_files.insert(all_files.end(), wait.files.begin(), wait.files.end());
  poll_files(all_files.data(), all_files.size(), patience);
  const std::int64_t time = Outside::now();
  bool is_anybody = false;
  was_ready = false;
  std::size_t first = 0;
  for (std::size_t i = 0; i < waits.size();) {
    const std::size_t count = waits[i].files.size();
    const bool is_ready = std::any_of(all_files.begin() + static_cast<std::ptrdiff_t>(first), all_files.begin() + static_cast<std::ptrdiff_t>(first + count), [](const pollfd& file) { return file.revents != 0; });
    first += count;
    if (!is_ready && !waits[i].looks_again && !(waits[i].deadline != 0 && time >= waits[i].deadline)) {
      ++i;
      continue;
    }
    was_ready |= is_ready || !waits[i].looks_again;
    Testing::wake(waits[i].thread);
    waits.erase(waits.begin() + static_cast<std::ptrdiff_t>(i));
    --Outside::waiting;
    is_anybody = true;
  }
  return is_anybody;
}

}  // namespace

void Outside::look_at_limits(NativeProgram& program) {
  bool is_anybody = false;
  for_each_with_limit(program, [&](const Thread& thread) { is_anybody |= !Testing::can_go_on(thread.id); });
  if (is_anybody) look(program, false);
}

bool Outside::look(NativeProgram& program, bool may_wait) {
  is_changed = false;
  Testing::note_change();  // there may be something that comes from outside
  const std::int64_t begun = now(), give_up = begun + kLongest;
  for (bool is_anybody = false;;) {
    std::int64_t earliest = kNever;
    for (const Waiting& wait : waits) earliest = std::min(earliest, wait.looks_again ? now() + kMillisecond : wait.deadline != 0 ? wait.deadline : kNever);
    for_each_with_limit(program, [&](const Thread& thread) { earliest = std::min(earliest, thread.deadline); });
    // While somebody waits for what is outside, virtual time goes as fast as the real one.
    const bool waits_for_signal = Forked::may_signal() && is_signal_awaited();
    const bool has_timers = Timers::are_set() && (real_time || (may_wait && (!waits.empty() || waits_for_signal)));
    const std::int64_t timer = !has_timers ? kNever : real_time ? Timers::earliest() : begun + std::max<std::int64_t>(Timers::earliest() - virtual_time - waited_in_vain, 0);
    earliest = std::min(earliest, timer);
    if (ArrivedSignals::are_there() && (may_wait || !waits.empty()) && wake_for_signals(program)) return true;
    if (waits.empty() && earliest == kNever && !waits_for_signal) return false;
    std::int64_t until = std::min(earliest, give_up);
    if (Forked::may_signal()) until = std::min(until, now() + kOften);  // one may come just before the wait
    is_anybody = ask(may_wait ? std::max<std::int64_t>(until - now(), 0) : 0);
    for_each_with_limit(program, [&](Thread& thread) {
      if (now() < thread.deadline || Testing::can_go_on(thread.id)) return;
      thread.has_timed_out = true;
      Testing::wake(thread.id);
      is_anybody = true;
    });
    if (now() >= timer && (real_time || !was_ready) && (real_time ? Timers::look() : Timers::let_first_go_off())) {
      waited_in_vain = 0;
      if (!may_wait) return true;
      if (ArrivedSignals::are_there()) wake_for_signals(program);
      ask(0);
      return true;
    }
    if (may_wait && is_anybody) waited_in_vain = was_ready ? 0 : waited_in_vain + now() - begun;
    if (is_anybody || !may_wait) return is_anybody;
    if (Watchdog::over_flag() || (now() >= give_up && !Forked::is_here)) return false;
  }
}

}  // namespace ordeal::runtime
