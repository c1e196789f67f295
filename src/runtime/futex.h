// Raw futexes (syscall).
#pragma once

#include <cstdint>

#include <time.h>

namespace ordeal::runtime {

struct FutexCall {
  const void* word;
  int operation;  // without its flags
  std::uint32_t value;
  const timespec* timeout;
  std::uint32_t mask;
  std::uintptr_t site;
};

/// What the system call returns, and errno.
long futex(const FutexCall& call);

}  // namespace ordeal::runtime
