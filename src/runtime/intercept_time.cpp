// Time is virtual: clocks show a constant that moves a little with each look, the same in each execution; a sleep is only a
// hint that others may run.
#include <errno.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/clock.h"
#include "runtime/spin.h"

namespace ordeal::runtime {
namespace {

constexpr std::int64_t kStart = 1'700'000'000;  // seconds since 1970

/// A thread's own clock: a microsecond for each look it took, so that no interleaving shows.
timespec now() {
  note_effect(*NativeProgram::current);
  const std::int64_t looks = ++NativeProgram::current->looks_at_clock;
  return {kStart + looks / 1'000'000, looks % 1'000'000 * 1000};
}

int real_clock_gettime(clockid_t clock, timespec* time) { return static_cast<int>(syscall(SYS_clock_gettime, clock, time)); }

}  // namespace

void pass_time_until(const timespec& time) {
  constexpr std::int64_t kLongest = 100LL * 365 * 24 * 3600;  // seconds: "for ever" must not overflow
  std::int64_t seconds = static_cast<std::int64_t>(time.tv_sec) - kStart;
  if (seconds > kLongest) seconds = kLongest;
  const std::int64_t looks = seconds * 1'000'000 + time.tv_nsec / 1000 + 1;
  if (looks > NativeProgram::current->looks_at_clock) NativeProgram::current->looks_at_clock = looks;
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int clock_gettime(clockid_t clock, timespec* time) {
  if (!is_checked()) return real_clock_gettime(clock, time);
  *time = now();
  return 0;
}
ORDEAL_ABI int gettimeofday(timeval* time, void*) {
  timespec precise;
  if (is_checked()) precise = now();
  else real_clock_gettime(CLOCK_REALTIME, &precise);
  *time = {precise.tv_sec, precise.tv_nsec / 1000};
  return 0;
}
ORDEAL_ABI time_t time(time_t* result) {
  timespec precise;
  if (is_checked()) precise = now();
  else real_clock_gettime(CLOCK_REALTIME, &precise);
  if (result != nullptr) *result = precise.tv_sec;
  return precise.tv_sec;
}

ORDEAL_ABI int nanosleep(const timespec*, timespec*) { return 0; }
ORDEAL_ABI int clock_nanosleep(clockid_t, int, const timespec*, timespec*) { return 0; }
ORDEAL_ABI int usleep(useconds_t) { return 0; }
ORDEAL_ABI unsigned sleep(unsigned) { return 0; }
