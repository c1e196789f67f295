// Volatile variables in random testing. To the standard they are plain; much code means relaxed, or acquire and release, by them
// (C11Tester, section 8.2). Then they are atomic accesses: no race with each other or with atomic ones, fences and RMWs build upon them.
// But what is read is what memory holds, and what is written is known only when it is there: the compiler's code does both itself. In any
// case others may go first: loops wait for volatile variables.
#pragma once

#include <cstdint>

#include "runtime/access.h"

namespace ordeal::runtime {

class VolatileAccess {
 public:
  enum class Meaning : std::uint8_t { kPlain, kRelaxed, kAcquireRelease };
  static inline Meaning meaning = Meaning::kPlain;
  /// The running thread is about to make one; false: it is a plain access, still to be noted. REQUIRES: is_testing, and the program runs.
  static bool note(const Cell& cell, bool is_write);
};

}  // namespace ordeal::runtime
