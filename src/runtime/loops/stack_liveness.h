// Which bytes of the innermost function's frame still matter after a call: those that it may read before it writes them.
//
//     node *e = nullptr; if (next.compare_exchange(e, n)) break;      // e holds what was there, and nobody looks
//
// Two configurations that differ in other bytes only are the same (configuration.h). At -O0 most of a frame is dead most of the time, at -O2 what compare-exchanges expect.
//
// The machine code of the function is looked through once. First forwards: where does the stack pointer stand before each instruction, and which registers hold an address
// in the frame? Then backwards: which bytes may be read? An address of the frame may be used as the base of an access, copied to a register, and handed to an operation of the runtime
// (which reads at most what an operation reads). Anything else, and any code that is not understood, and every byte matters: somebody may read it by a pointer. So it is
// if the address is stored, handed to another function, or computed with.
#pragma once

#include <cstdint>
#include <vector>

namespace ordeal::runtime {

/// Bytes of a frame that do not matter.
struct DeadBytes {
  struct Range {
    std::intptr_t begin, end;  // from the stack pointer before the call on
  };
  std::vector<Range> ranges;
  bool has(std::intptr_t byte) const {
    for (const Range& range : ranges)
      if (byte >= range.begin && byte < range.end) return true;
    return false;
  }
};

/// What a call of a function is: an access that is announced, or the border of a function; an atomic operation; a function that does not return, and
/// gets nothing on the stack; anything else.
enum class Callee : std::uint8_t { kAccess, kOperation, kEnd, kOther };

class StackLiveness {
 public:
  /// (liveness_of_call.cpp.) After the call that returns to `site`. REQUIRES: its function is on the stack. The answer is kept.
  static const DeadBytes& after(std::uintptr_t site);
  /// After the call that returns to `site`; `function` is where its function begins, `catches` where its calls may go on when they throw.
  /// REQUIRES: it is a function, not a part of one.
  static DeadBytes look_at(std::uintptr_t site, std::uintptr_t function, const std::vector<std::uintptr_t>& catches, Callee (*callee_at)(std::uintptr_t code));
};

}  // namespace ordeal::runtime
