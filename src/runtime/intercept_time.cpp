// Time is virtual: clocks show a constant that moves a little with each look, the same in each execution; a sleep or a wait
// that times out moves the thread's own clock and is otherwise only a hint that others may run.
#include <errno.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/arrived_signals.h"
#include "runtime/cancellation.h"
#include "runtime/outside.h"
#include "runtime/stand_ins.h"
#include "runtime/sync.h"
#include "runtime/testing.h"
#include "runtime/timers.h"
#include "runtime/virtual_time.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {
namespace {

std::int64_t lateness() { return is_testing ? 0 : 37; }  // nanoseconds

/// A thread's own clock moves a microsecond with each look it takes, so that no interleaving shows. In the exhaustive search it moves a little more, by an
/// amount that no program has in it: a number that has grown just as much is a time, and not a count of what was slept (loops/configuration.cpp).
timespec now() {
  Thread& thread = *NativeProgram::current;
  ++thread.spin.looks;
  StandIns::gave_time = true;
  if (is_testing) Testing::note_change();
  move_time_to(own_time() + 1000 + lateness());
  const std::int64_t nanoseconds = kClockStart + own_time();
  return {nanoseconds / kSecond, nanoseconds % kSecond};
}

struct Slept {
  bool is_interrupted = false;  // by a handler
  std::int64_t left = 0;
};

/// Until this time of the clock that counts: the real one, or the thread's own.
Slept sleep_until(std::int64_t end) {
  if (!is_checked()) return {};
  if (!is_testing) {
    ++NativeProgram::current->yields;
    own_time() = std::max(own_time(), end) + lateness();
    return {};
  }
  Cancellation::point();
  ArrivedSignals::is_interrupted(ArrivedSignals::Call::kEnds);  // what came before does not interrupt it
  if (Outside::real_time) {
    const bool is_over = Outside::sleep_until(end);
    return {!is_over, std::max<std::int64_t>(end - Outside::now(), 0)};
  }
  ++NativeProgram::current->yields;
  Testing::yield();
  Cancellation::point();
  Watchdog::stop_if_wanted();
  if (ArrivedSignals::is_interrupted(ArrivedSignals::Call::kEnds)) return {true, std::max<std::int64_t>(end - own_time(), 0)};
  // Timers go off one after the other, and a handler may end the sleep.
  while (Timers::are_set() && Timers::earliest() <= end) {
    move_time_to(Timers::earliest());
    Testing::yield();
    Watchdog::stop_if_wanted();
    if (ArrivedSignals::is_interrupted(ArrivedSignals::Call::kEnds)) return {true, std::max<std::int64_t>(end - own_time(), 0)};
  }
  move_time_to(end);
  return {};
}

Slept sleep_for(std::int64_t nanoseconds) {
  if (!is_checked()) return {};
  return sleep_until(Outside::real_time ? Outside::deadline_in(nanoseconds) : own_time() + std::max<std::int64_t>(nanoseconds, 0));
}

/// -1 and EINTR, with what is left, or 0.
int end_sleep(const Slept& slept, timespec* left) {
  if (!slept.is_interrupted) return 0;
  if (left != nullptr) *left = {slept.left / kSecond, slept.left % kSecond};
  errno = EINTR;
  return -1;
}

int real_clock_gettime(clockid_t clock, timespec* time) { return static_cast<int>(syscall(SYS_clock_gettime, clock, time)); }

}  // namespace

std::int64_t& own_time() { return is_testing ? Outside::virtual_time : NativeProgram::current->time; }

void move_time_to(std::int64_t time) {
  own_time() = std::max(own_time(), time);
  if (is_testing && Timers::are_set()) Timers::look();
}

bool gives_up_at_once(std::uintptr_t site) { return !Outside::real_time && choose(2, site, model::ChoiceOf::kTimeLimit) == 1; }

TimeLimit::TimeLimit(const timespec* deadline, bool is_absolute) {
  Thread& thread = *NativeProgram::current;
  thread.waits_with_time_limit = true;
  if (is_testing && !Outside::real_time && deadline != nullptr) {
    const std::int64_t time = deadline->tv_sec >= kLongTime ? (deadline->tv_sec - kClockStart / kSecond) * kSecond : deadline->tv_sec * kSecond;
    thread.virtual_deadline = std::max<std::int64_t>(time + deadline->tv_nsec + (is_absolute ? 0 : own_time()), 1);
  }
  if (!Outside::real_time || deadline == nullptr) return;
  thread.deadline = is_absolute ? Outside::deadline_of(deadline) : Outside::deadline_in(deadline->tv_sec * kSecond + deadline->tv_nsec);
}
TimeLimit::~TimeLimit() {
  NativeProgram::current->waits_with_time_limit = false;
  NativeProgram::current->deadline = NativeProgram::current->virtual_deadline = 0;
}

void let_time_pass(std::int64_t nanoseconds) {
  if (!Outside::real_time) move_time_to(own_time() + std::max<std::int64_t>(nanoseconds, 0));
}

void let_time_pass_until(const timespec* deadline) {
  if (deadline == nullptr || Outside::real_time) return;
  const std::int64_t time = deadline->tv_sec * kSecond + deadline->tv_nsec - kClockStart;
  move_time_to(time + lateness());
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int clock_gettime(clockid_t clock, timespec* time) {
  if (is_checked() && is_testing) Watchdog::stop_if_wanted();
  if (is_checked() && Outside::real_time) Testing::note_change();
  if (!is_checked() || Outside::real_time) return real_clock_gettime(clock, time);
  *time = now();
  return 0;
}
ORDEAL_ABI int gettimeofday(timeval* time, void*) {
  timespec precise;
  if (is_checked() && !Outside::real_time) precise = now();
  else real_clock_gettime(CLOCK_REALTIME, &precise);
  *time = {precise.tv_sec, precise.tv_nsec / 1000};
  return 0;
}
ORDEAL_ABI time_t time(time_t* result) {
  timespec precise;
  if (is_checked() && !Outside::real_time) precise = now();
  else real_clock_gettime(CLOCK_REALTIME, &precise);
  if (result != nullptr) *result = precise.tv_sec;
  return precise.tv_sec;
}

ORDEAL_ABI int nanosleep(const timespec* duration, timespec* left) { return end_sleep(sleep_for(duration->tv_sec * kSecond + duration->tv_nsec), left); }
ORDEAL_ABI int clock_nanosleep(clockid_t, int flags, const timespec* time, timespec* left) {
  const bool is_absolute = (flags & TIMER_ABSTIME) != 0;
  if (is_checked() && is_absolute && !is_testing) {
    let_time_pass_until(time);
    return 0;
  }
  const Slept slept = !is_absolute                         ? sleep_for(time->tv_sec * kSecond + time->tv_nsec)
                      : is_checked() && Outside::real_time ? sleep_until(Outside::deadline_of(time))
                                                           : sleep_until(time->tv_sec * kSecond + time->tv_nsec - kClockStart);
  return end_sleep(slept, is_absolute ? nullptr : left) == 0 ? 0 : EINTR;
}
ORDEAL_ABI int usleep(useconds_t microseconds) { return end_sleep(sleep_for(std::int64_t{microseconds} * 1000), nullptr); }
ORDEAL_ABI unsigned sleep(unsigned seconds) {
  const Slept slept = sleep_for(std::int64_t{seconds} * kSecond);
  return slept.is_interrupted ? static_cast<unsigned>(slept.left / kSecond) : 0;
}
