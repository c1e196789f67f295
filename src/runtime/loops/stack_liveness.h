// Which bytes of a thread's stack still matter after a call: those that some function may read before they are written.
//
//     node *e = nullptr; if (next.compare_exchange(e, n)) break;      // e holds what was there, and nobody looks
//
// Two configurations that differ in other bytes only are the same (configuration.h). At -O0 most of a frame is dead most of the time, at -O2 what compare-exchanges expect.
//
// The frames are gone through from the innermost one outwards, as long as their functions are understood (function_frame.h). A function says what it may still read of its own frame, and
// through its arguments; its caller, at the call that it returns to, says what that is in its own frame or behind its own arguments, and adds what it reads afterwards. So
// bytes of a frame matter if its function may read them, or one that was called by it. Beyond a function that is not understood all bytes matter. Where the next frame begins, and that
// the function was called there and by nobody in between, is known from the code: the return address must be where the code says, behind a call of just this function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/loops/function_frame.h"

namespace ordeal::runtime {

/// Bytes of a stack that do not matter.
struct DeadBytes {
  struct Range {
    std::intptr_t begin, end;  // from the stack pointer before the call on
  };
  struct Return {
    std::intptr_t at;  // likewise
    std::uintptr_t site;
  };
  std::vector<Range> ranges;
  std::vector<Return> returns;  // all that was read of the stack to find them
  bool has(std::intptr_t byte) const {
    for (const Range& range : ranges)
      if (byte >= range.begin && byte < range.end) return true;
    return false;
  }
  void add(std::intptr_t byte) {
    if (!ranges.empty() && ranges.back().end == byte) ++ranges.back().end;
    else ranges.push_back({byte, byte + 1});
  }
};

class StackLiveness {
 public:
  /// (liveness_of_call.cpp.) Of a thread of the program, after the innermost call, which returns to `site`. `stack`: from the stack pointer before that call on.
  static const DeadBytes& after(std::uintptr_t site, const unsigned char* stack, std::size_t size);
  static DeadBytes look_at(std::uintptr_t site, const unsigned char* stack, std::size_t size, const CodeReader& reader);
};

}  // namespace ordeal::runtime
