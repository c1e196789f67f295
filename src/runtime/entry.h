// Entry points with an assembler stub that notes the callee-saved registers, and jumps on to the function itself: its
// arguments and its return address are those of the call.
#pragma once

#include <cstdint>

/// rbx, rbp, r12, r13, r14, r15, rsp of the last call through a stub.
extern "C" std::uint64_t ordeal_entry_registers[7] __attribute__((visibility("hidden")));

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
      "  jmp ordeal_" #NAME "\n"                            \
      "  .cfi_endproc\n"                                    \
      ".size " #NAME ", .-" #NAME "\n");

#define ORDEAL_BEHIND_ENTRY extern "C" __attribute__((visibility("hidden"), used))
