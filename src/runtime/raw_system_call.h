// A system call that nobody stands in for. libc's `syscall` is ours (intercept_refused.cpp) and asks who calls: a signal handler must not come there, for it may have
// interrupted code that is only tried out, which such a question ends (is_checked in access.h).
#pragma once

namespace ordeal::runtime {

/// What the kernel returns: below 0 and from -4095 on, minus an error number.
inline long raw_system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

}  // namespace ordeal::runtime
