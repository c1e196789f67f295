// Pieces of code, and which bytes of their frames do not matter after a call in them.
#include "runtime/loops/stack_liveness.h"

#include <string>

#include <gtest/gtest.h>

namespace ordeal::runtime {
namespace {

// Functions of their own for the unwinder. `stack_NAME_site` is where the call returns that is asked about.
#define CODE(NAME, TEXT)                        \
  extern "C" void stack_##NAME();               \
  extern "C" void stack_##NAME##_site();        \
  asm(".text\n"                                 \
      ".type stack_" #NAME ", @function\nstack_" #NAME ":\n.cfi_startproc\n" TEXT "\n.cfi_endproc\n.size stack_" #NAME ", .-stack_" #NAME "\n")
#define SITE(NAME) "\n.globl stack_" #NAME "_site\nstack_" #NAME "_site:\n"

extern "C" {
void stack_operation();
void stack_access();
void stack_end();
void stack_function();
}
asm(".text\n"
    ".globl stack_operation\nstack_operation: ret\n"
    ".globl stack_access\nstack_access: ret\n"
    ".globl stack_end\nstack_end: ud2\n"
    ".globl stack_function\nstack_function: ret\n");

Callee callee_at(std::uintptr_t code) {
  const auto is = [&](void (*function)()) { return code == reinterpret_cast<std::uintptr_t>(function); };
  return is(&stack_operation) ? Callee::kOperation : is(&stack_access) ? Callee::kAccess : is(&stack_end) ? Callee::kEnd : Callee::kOther;
}

/// A letter for each byte from the stack pointer on: d is dead, L is live.
std::string bytes(void (*function)(), void (*site)(), int count, const std::vector<std::uintptr_t>& catches = {}) {
  const DeadBytes dead = StackLiveness::look_at(reinterpret_cast<std::uintptr_t>(site), reinterpret_cast<std::uintptr_t>(function), catches, &callee_at);
  std::string text;
  for (int i = 0; i < count; i += 4) text += dead.has(i) ? (dead.has(i + 3) ? "d" : "?") : (dead.has(i + 3) ? "?" : "L");
  return text;
}
#define BYTES(NAME, ...) bytes(&stack_##NAME, &stack_##NAME##_site, __VA_ARGS__)

#define EXPECTED "movq $0, 8(%rsp)\nlea 8(%rsp), %rsi\ncall stack_operation"

CODE(retry, "sub $24, %rsp\n1: " EXPECTED SITE(retry) "test %al, %al\nje 1b\nadd $24, %rsp\nret");
// (An operation may read 16 bytes.)
TEST(StackLiveness, WhatIsWrittenBeforeItIsReadDoesNotMatter) { EXPECT_EQ(BYTES(retry, 24), "ddddLL"); }

CODE(takes, "sub $24, %rsp\nmovq $0, 8(%rsp)\n1: lea 8(%rsp), %rsi\ncall stack_operation" SITE(takes) "test %al, %al\nje 1b\nadd $24, %rsp\nret");
TEST(StackLiveness, WhatAnOperationReadsMatters) { EXPECT_EQ(BYTES(takes, 24), "ddLLLL"); }

CODE(reads, "sub $24, %rsp\n" EXPECTED SITE(reads) "mov 8(%rsp), %rax\nadd $24, %rsp\nret");
TEST(StackLiveness, WhatIsReadMatters) { EXPECT_EQ(BYTES(reads, 24), "ddLLdd"); }

CODE(part, "sub $24, %rsp\n" EXPECTED SITE(part) "movl $0, 8(%rsp)\nmov 8(%rsp), %rax\nadd $24, %rsp\nret");
TEST(StackLiveness, AWriteOfAPartLeavesTheRest) { EXPECT_EQ(BYTES(part, 24), "dddLdd"); }

CODE(branch, "sub $24, %rsp\n" EXPECTED SITE(branch) "test %al, %al\nje 1f\nmov 16(%rsp), %rax\nadd $24, %rsp\nret\n1: mov 8(%rsp), %eax\nadd $24, %rsp\nret");
TEST(StackLiveness, BothSidesOfABranchCount) { EXPECT_EQ(BYTES(branch, 24), "ddLdLL"); }

CODE(register, "push %rbx\nsub $16, %rsp\nlea 8(%rsp), %rbx\n1: movq $0, (%rbx)\nmov %rbx, %rsi\ncall stack_operation" SITE(register) "test %al, %al\nje 1b\nadd $16, %rsp\npop %rbx\nret");
TEST(StackLiveness, AddressesInRegistersAreFollowed) { EXPECT_EQ(BYTES(register, 24), "ddddLL"); }

CODE(frame, "push %rbp\nmov %rsp, %rbp\nsub $16, %rsp\n1: movq $0, -8(%rbp)\nlea -8(%rbp), %rsi\ncall stack_operation" SITE(frame) "test %al, %al\nje 1b\nmov -16(%rbp), %eax\nleave\nret");
TEST(StackLiveness, AFramePointerIsAnAddress) { EXPECT_EQ(BYTES(frame, 24), "LdddLL"); }

CODE(stored, "sub $24, %rsp\nlea 8(%rsp), %rax\nmov %rax, (%rdi)\n" EXPECTED SITE(stored) "add $24, %rsp\nret");
TEST(StackLiveness, AStoredAddressMayBeUsedByAnybody) { EXPECT_EQ(BYTES(stored, 24), "LLLLLL"); }

CODE(pushed, "sub $24, %rsp\nlea 8(%rsp), %rax\npush %rax\npop %rcx\n" EXPECTED SITE(pushed) "add $24, %rsp\nret");
TEST(StackLiveness, SoMayAPushedOne) { EXPECT_EQ(BYTES(pushed, 24), "LLLLLL"); }

CODE(handed, "sub $24, %rsp\nlea 8(%rsp), %rdi\ncall stack_function\n" EXPECTED SITE(handed) "add $24, %rsp\nret");
TEST(StackLiveness, SoMayOneThatAFunctionGets) { EXPECT_EQ(BYTES(handed, 24), "LLLLLL"); }

CODE(nested, "sub $24, %rsp\nlea 8(%rsp), %r10\ncall stack_function\n" EXPECTED SITE(nested) "add $24, %rsp\nret");
TEST(StackLiveness, SoMayOneThatANestedFunctionGets) { EXPECT_EQ(BYTES(nested, 24), "LLLLLL"); }

CODE(computed, "sub $24, %rsp\nlea 8(%rsp), %rax\nadd %rcx, %rax\n" EXPECTED SITE(computed) "add $24, %rsp\nret");
TEST(StackLiveness, SoMayOneThatIsComputedWith) { EXPECT_EQ(BYTES(computed, 24), "LLLLLL"); }

CODE(index, "sub $24, %rsp\n" EXPECTED SITE(index) "mov (%rsp,%rcx,8), %rax\nadd $24, %rsp\nret");
TEST(StackLiveness, AnIndexMayReachAnything) { EXPECT_EQ(BYTES(index, 24), "LLLLLL"); }

CODE(mixed, "push %rbx\nsub $16, %rsp\nmov %rdi, %rbx\ntest %rdi, %rdi\nje 1f\nlea 8(%rsp), %rbx\n1: " EXPECTED SITE(mixed) "mov (%rbx), %rax\nadd $16, %rsp\npop %rbx\nret");
TEST(StackLiveness, ARegisterThatMayBeAnAddressMayReachAnything) { EXPECT_EQ(BYTES(mixed, 16), "LLLL"); }

CODE(calls, "sub $24, %rsp\n" EXPECTED SITE(calls) "call stack_function\nadd $24, %rsp\nret");
TEST(StackLiveness, AFunctionMayReadItsArgumentsOnTheStack) { EXPECT_EQ(BYTES(calls, 24), "LLLLLL"); }

CODE(announced, "sub $24, %rsp\n1: " EXPECTED SITE(announced) "lea 8(%rsp), %rdi\ncall stack_access\ntest %al, %al\nje 1b\nadd $24, %rsp\nret");
TEST(StackLiveness, AnAnnouncementReadsNothing) { EXPECT_EQ(BYTES(announced, 24), "ddddLL"); }

CODE(ends, "sub $24, %rsp\n" EXPECTED SITE(ends) "test %al, %al\nje 1f\nadd $24, %rsp\nret\n1: call stack_end");
TEST(StackLiveness, NothingComesAfterACallThatDoesNotReturn) { EXPECT_EQ(BYTES(ends, 24), "dddddd"); }

CODE(elsewhere, "sub $24, %rsp\n" EXPECTED SITE(elsewhere) "jmp stack_function");
TEST(StackLiveness, AJumpElsewhereInTheMiddleIsNotUnderstood) { EXPECT_EQ(BYTES(elsewhere, 24), "LLLLLL"); }

CODE(table, "sub $24, %rsp\n" EXPECTED SITE(table) "jmp *%rax");
TEST(StackLiveness, NorIsAComputedJump) { EXPECT_EQ(BYTES(table, 24), "LLLLLL"); }

CODE(aligned, "push %rbp\nmov %rsp, %rbp\nand $-32, %rsp\nsub $32, %rsp\n" EXPECTED SITE(aligned) "leave\nret");
TEST(StackLiveness, NorIsAStackPointerThatIsAligned) { EXPECT_EQ(BYTES(aligned, 24), "LLLLLL"); }

CODE(caught, "sub $24, %rsp\n" EXPECTED SITE(caught) "add $24, %rsp\nret\n.globl stack_caught_pad\nstack_caught_pad: mov 16(%rsp), %rax\nadd $24, %rsp\nret");
extern "C" void stack_caught_pad();
TEST(StackLiveness, ACallMayGoOnWhereExceptionsAreCaught) {
  EXPECT_EQ(BYTES(caught, 24), "dddddd");
  EXPECT_EQ(BYTES(caught, 24, {reinterpret_cast<std::uintptr_t>(&stack_caught_pad)}), "ddddLL");
}

}  // namespace
}  // namespace ordeal::runtime
