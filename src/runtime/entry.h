// Entry points with an assembler stub that *stamps* its call with the callee-saved registers, and jumps on to the function itself: its
// arguments and its return address are those of the call.
//
// A stamp belongs to one call: it has the return address, and is gone when an operation has been performed. Whoever has no stamp of its own call
// does not know the program's registers, and must not take an older one for it: load and store are called with the same stack pointer.
#pragma once

#include <cstdint>

/// rbx, rbp, r12, r13, r14, r15, rsp of the last call through a stub, and where it returns to (0: the stamp is used up).
extern "C" std::uint64_t ordeal_entry_registers[8] __attribute__((visibility("hidden")));

namespace ordeal::runtime {

constexpr int kStampedRegisters = 7;

/// Whether the call from `site` that is under way is stamped: the registers are its own.
inline bool has_stamp(std::uintptr_t site) { return ordeal_entry_registers[kStampedRegisters] == site; }
inline void use_up_stamp() { ordeal_entry_registers[kStampedRegisters] = 0; }

}  // namespace ordeal::runtime

/// Defines the ABI function NAME; its body is the hidden function ordeal_##NAME.
#define ORDEAL_ENTRY(NAME)                                  \
  asm(".text\n"                                             \
      ".globl " #NAME "\n"                                  \
      ".type " #NAME ", @function\n"                        \
      #NAME ":\n"                                           \
      "  .cfi_startproc\n"                                  \
      "  mov %rbx, ordeal_entry_registers(%rip)\n"          \
      "  mov %rbp, ordeal_entry_registers+8(%rip)\n"        \
      "  mov %r12, ordeal_entry_registers+16(%rip)\n"       \
      "  mov %r13, ordeal_entry_registers+24(%rip)\n"       \
      "  mov %r14, ordeal_entry_registers+32(%rip)\n"       \
      "  mov %r15, ordeal_entry_registers+40(%rip)\n"       \
      "  mov %rsp, ordeal_entry_registers+48(%rip)\n"       \
      "  mov (%rsp), %r11\n"                                \
      "  mov %r11, ordeal_entry_registers+56(%rip)\n"       \
      "  jmp ordeal_" #NAME "\n"                            \
      "  .cfi_endproc\n"                                    \
      ".size " #NAME ", .-" #NAME "\n");

#define ORDEAL_BEHIND_ENTRY extern "C" __attribute__((visibility("hidden"), used))
