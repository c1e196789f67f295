// Virtual time (intercept_time.cpp).
#pragma once

#include <time.h>

namespace ordeal::runtime {

/// A wait of the running thread has timed out: its clock now shows this time, or a later one.
void pass_time_until(const timespec& time);

}  // namespace ordeal::runtime
