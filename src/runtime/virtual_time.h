// The program's clocks (intercept_time.cpp).
#pragma once

#include <time.h>

#include <cstdint>

namespace ordeal::runtime {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kClockStart = 1'700'000'000 * kSecond;  // nanoseconds since 1970
constexpr std::int64_t kLongTime = 3600 * kSecond;               // longer than anybody waits

/// The running thread's clock, in nanoseconds since kClockStart. While testing there is but one, for all: who sees that another has slept
/// sees that time has passed.
std::int64_t& own_time();
/// The running thread has waited for so long.
void let_time_pass_until(const timespec* deadline);
void let_time_pass(std::int64_t nanoseconds);
/// It is so late now, or later: timers go off (timers.h).
void move_time_to(std::int64_t time);

/// Whether a wait with a time limit ends at once: it may always, if time is virtual.
bool gives_up_at_once(std::uintptr_t site);
/// While the running thread waits, but not for ever.
class TimeLimit {
 public:
  explicit TimeLimit(const timespec* deadline, bool is_absolute = true);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
};

}  // namespace ordeal::runtime
