// The program's clocks (intercept_time.cpp).
#pragma once

#include <time.h>

#include <cstdint>

namespace ordeal::runtime {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kClockStart = 1'700'000'000 * kSecond;  // nanoseconds since 1970
constexpr std::int64_t kLongTime = 3600 * kSecond;               // longer than anybody waits

/// The running thread has waited for so long.
void let_time_pass_until(const timespec* deadline);

}  // namespace ordeal::runtime
