// What the program's code says about a call in it.
//
// Which registers still matter behind it: those that the function may read before it writes them. Two states of a thread that differ
// only in others are the same (loops/README.md).
//
// Only the six registers are looked at that a call keeps. From the call on, all paths through the code are followed: both sides of
// branches, on behind calls, and from calls to the places where exceptions are caught. What cannot be followed (a jump to a computed
// address, code that nobody described) is taken to read them all. Instructions are decoded by Zydis, loaded when it is first needed;
// without it all registers matter.
#pragma once

#include <cstdint>
#include <vector>

namespace ordeal::runtime {

class Liveness {
 public:
  static constexpr std::uint8_t kAll = 0x3F;
  static constexpr std::uint8_t kResult = 0x40;  // rax

  /// (liveness_of_call.cpp.) Bits in the order of ordeal_entry_registers (entry.h): rbx, rbp, r12, r13, r14, r15. REQUIRES: its function is
  /// on the stack. The answer is kept.
  static std::uint8_t behind(std::uintptr_t site);
  /// Likewise, whether anybody may look at what the call returned in rax.
  static bool is_result_used(std::uintptr_t site);

  /// Where the function begins that this code belongs to; 0: nobody knows.
  static std::uintptr_t function_of(std::uintptr_t code);
  /// For any code, and with kResult: `function` is where it begins, `catches` where its calls may go on when they throw.
  static std::uint8_t look_at(std::uintptr_t code, std::uintptr_t function, const std::vector<std::uintptr_t>& catches);
};

}  // namespace ordeal::runtime
