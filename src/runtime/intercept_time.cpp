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
#include "runtime/outside.h"
#include "runtime/spin.h"
#include "runtime/stand_ins.h"
#include "runtime/sync.h"
#include "runtime/testing.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

/// A thread's own clock moves a microsecond with each look it takes, so that no interleaving shows.
timespec now() {
  Thread& thread = *NativeProgram::current;
  ++thread.spin.looks;
  StandIns::gave_time = true;
  if (is_testing) Testing::note_change();
  own_time() += 1000;
  const std::int64_t nanoseconds = kClockStart + own_time();
  return {nanoseconds / kSecond, nanoseconds % kSecond};
}

void pass(std::int64_t nanoseconds) {
  if (!is_checked()) return;
  if (Outside::real_time) return Outside::sleep_until(Outside::deadline_in(nanoseconds));
  ++NativeProgram::current->yields;
  const std::int64_t end = own_time() + std::max<std::int64_t>(nanoseconds, 0);
  if (is_testing) Testing::yield();
  own_time() = std::max(own_time(), end);
}

int real_clock_gettime(clockid_t clock, timespec* time) { return static_cast<int>(syscall(SYS_clock_gettime, clock, time)); }

}  // namespace

std::int64_t& own_time() { return is_testing ? Outside::virtual_time : NativeProgram::current->time; }

bool gives_up_at_once(std::uintptr_t site) { return !Outside::real_time && choose(2, site, model::ChoiceOf::kTimeLimit) == 1; }

TimeLimit::TimeLimit(const timespec* deadline, bool is_absolute) {
  Thread& thread = *NativeProgram::current;
  thread.waits_with_time_limit = true;
  if (!Outside::real_time || deadline == nullptr) return;
  thread.deadline = is_absolute ? Outside::deadline_of(deadline) : Outside::deadline_in(deadline->tv_sec * kSecond + deadline->tv_nsec);
}
TimeLimit::~TimeLimit() {
  NativeProgram::current->waits_with_time_limit = false;
  NativeProgram::current->deadline = 0;
}

void let_time_pass_until(const timespec* deadline) {
  if (deadline == nullptr || Outside::real_time) return;
  const std::int64_t time = deadline->tv_sec * kSecond + deadline->tv_nsec - kClockStart;
  own_time() = std::max(own_time(), time);
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int clock_gettime(clockid_t clock, timespec* time) {
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

ORDEAL_ABI int nanosleep(const timespec* duration, timespec*) {
  pass(duration->tv_sec * kSecond + duration->tv_nsec);
  return 0;
}
ORDEAL_ABI int clock_nanosleep(clockid_t, int flags, const timespec* time, timespec*) {
  if (is_checked() && (flags & TIMER_ABSTIME) != 0 && Outside::real_time) Outside::sleep_until(Outside::deadline_of(time));
  else if (is_checked() && (flags & TIMER_ABSTIME) != 0) let_time_pass_until(time);
  else pass(time->tv_sec * kSecond + time->tv_nsec);
  return 0;
}
ORDEAL_ABI int usleep(useconds_t microseconds) {
  pass(std::int64_t{microseconds} * 1000);
  return 0;
}
ORDEAL_ABI unsigned sleep(unsigned seconds) {
  pass(std::int64_t{seconds} * kSecond);
  return 0;
}
