// Pieces of code, and which registers still matter at their beginning.
#include "runtime/loops/liveness.h"

#include <gtest/gtest.h>

namespace ordeal::runtime {
namespace {

constexpr unsigned kRbx = 1, kRbp = 2, kR12 = 4, kR13 = 8, kR14 = 16, kR15 = 32;

// Functions of their own for the unwinder, which knows where they begin. Each ends as a function does: what it gave back it had saved.
#define CODE(NAME, TEXT)          \
  extern "C" void NAME();         \
  asm(".text\n"                   \
      ".type " #NAME ", @function\n" #NAME ":\n.cfi_startproc\n" TEXT "\n.cfi_endproc\n.size " #NAME ", .-" #NAME "\n")
#define GIVE_BACK "pop %rbx\npop %rbp\npop %r12\npop %r13\npop %r14\npop %r15\nret"

unsigned live(void (*code)(), const std::vector<std::uintptr_t>& catches = {}) {
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  return Liveness::look_at(address, address, catches) & Liveness::kAll;
}
bool is_result_used(void (*code)()) {
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  return (Liveness::look_at(address, address, {}) & Liveness::kResult) != 0;
}

CODE(liveness_nothing, GIVE_BACK);
TEST(Liveness, WhatIsGivenBackDoesNotMatter) { EXPECT_EQ(live(&liveness_nothing), 0U); }

CODE(liveness_result_returned, GIVE_BACK);
CODE(liveness_result_tested, "test %eax, %eax\nmov $1, %eax\n" GIVE_BACK);
CODE(liveness_result_overwritten, "mov $1, %eax\n" GIVE_BACK);
CODE(liveness_result_partly_overwritten, "mov $1, %al\n" GIVE_BACK);
CODE(liveness_result_lost_in_call, "call liveness_nothing\n" GIVE_BACK);
CODE(liveness_result_called, "call *%rax\n" GIVE_BACK);
TEST(Liveness, WhatACallReturns) {
  EXPECT_TRUE(is_result_used(&liveness_result_returned));
  EXPECT_TRUE(is_result_used(&liveness_result_tested));
  EXPECT_FALSE(is_result_used(&liveness_result_overwritten));
  EXPECT_TRUE(is_result_used(&liveness_result_partly_overwritten));
  EXPECT_FALSE(is_result_used(&liveness_result_lost_in_call));
  EXPECT_TRUE(is_result_used(&liveness_result_called));
}

CODE(liveness_return, "ret");
TEST(Liveness, TheCallersRegistersMatter) { EXPECT_EQ(live(&liveness_return), unsigned{Liveness::kAll}); }

CODE(liveness_reads, "mov %ebx, %eax\nadd (%rbp,%r12,4), %eax\n" GIVE_BACK);
TEST(Liveness, ReadsAndAddressesMatter) { EXPECT_EQ(live(&liveness_reads), kRbx | kRbp | kR12); }

CODE(liveness_writes, "mov %eax, %ebx\nxor %ebp, %ebp\nmov (%rax), %r12\nlea 4(%r13), %r13\nadd %rbx, %rax\nadd %rbp, %rax\nadd %r12, %rax\n" GIVE_BACK);
TEST(Liveness, WhatIsWrittenFirstDoesNotMatter) { EXPECT_EQ(live(&liveness_writes), kR13); }

CODE(liveness_parts, "mov $1, %bl\nmov $1, %bp\nmov $1, %r12d\nadd %rbx, %rax\nadd %rbp, %rax\nadd %r12, %rax\n" GIVE_BACK);
TEST(Liveness, AWriteOfAPartLeavesTheRest) { EXPECT_EQ(live(&liveness_parts), kRbx | kRbp); }

CODE(liveness_conditional, "cmove %rax, %rbx\nadd %rbx, %rax\n" GIVE_BACK);
TEST(Liveness, AConditionalWriteMayNotHappen) { EXPECT_EQ(live(&liveness_conditional), kRbx); }

CODE(liveness_branch, "je 1f\nmov %rbx, %rax\n" GIVE_BACK "\n1: mov %r14, %rax\n" GIVE_BACK);
TEST(Liveness, BothSidesOfABranchCount) { EXPECT_EQ(live(&liveness_branch), kRbx | kR14); }

CODE(liveness_loop, "1: mov %r15, %rbx\nmov %rax, %r15\ncmp %rax, %rcx\njne 1b\n" GIVE_BACK);
TEST(Liveness, ALoopReadsWhatItHasWritten) { EXPECT_EQ(live(&liveness_loop), kR15); }
CODE(liveness_late, "1: mov %rbx, %rax\nmov %rbp, %rbx\nmov %r12, %rbp\ncmp %rax, %rcx\njne 1b\n" GIVE_BACK);
TEST(Liveness, ALoopMayReadItInALaterTurn) { EXPECT_EQ(live(&liveness_late), kRbx | kRbp | kR12); }

CODE(liveness_jump, "jmp 2f\n.globl liveness_jumped_over\nliveness_jumped_over: mov %rbx, %rax\n.globl liveness_jumped_to\nliveness_jumped_to: 2: mov %r13, %rax\n" GIVE_BACK);
extern "C" void liveness_jumped_over();
extern "C" void liveness_jumped_to();
TEST(Liveness, WhatIsJumpedOverDoesNotCount) { EXPECT_EQ(live(&liveness_jump), kR13); }

CODE(liveness_computed, "mov %rax, %rbx\njmp *%rax");
TEST(Liveness, AComputedJumpMayLeadAnywhere) { EXPECT_EQ(live(&liveness_computed), Liveness::kAll & ~kRbx); }

CODE(liveness_call, "call liveness_nothing\nmov %rbx, %rax\n" GIVE_BACK);
TEST(Liveness, ACallKeepsThemAndGoesOn) { EXPECT_EQ(live(&liveness_call), kRbx); }

CODE(liveness_catch, "call liveness_nothing\n" GIVE_BACK "\n.globl liveness_caught\nliveness_caught: mov %r12, %rax\n" GIVE_BACK);
extern "C" void liveness_caught();
TEST(Liveness, ACallMayGoOnWhereExceptionsAreCaught) {
  EXPECT_EQ(live(&liveness_catch), 0U);
  EXPECT_EQ(live(&liveness_catch, {reinterpret_cast<std::uintptr_t>(&liveness_caught)}), kR12);
}

CODE(liveness_stops, "ud2\nmov %rbx, %rax\n" GIVE_BACK);
TEST(Liveness, NothingComesBehindATrap) { EXPECT_EQ(live(&liveness_stops), 0U); }

TEST(Liveness, WhatNobodyDescribedMayReadAll) {
  static unsigned char data[16] = {0x90, 0x90, 0xC3};
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  EXPECT_EQ(Liveness::look_at(address, address, {}), unsigned{Liveness::kAll} | Liveness::kResult);
}

}  // namespace
}  // namespace ordeal::runtime
