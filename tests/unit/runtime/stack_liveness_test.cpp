// Pieces of code, and which bytes of their frames do not matter after a call in them.
#include "runtime/loops/stack_liveness.h"

#include <cstring>
#include <string>
#include <vector>

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
void stack_exchange();
void stack_access();
void stack_end();
void stack_returns_twice();
void stack_function();
}
asm(".text\n"
    ".globl stack_operation\nstack_operation: ret\n"
    ".globl stack_exchange\nstack_exchange: ret\n"
    ".globl stack_access\nstack_access: ret\n"
    ".globl stack_end\nstack_end: ud2\n"
    ".globl stack_returns_twice\nstack_returns_twice: ret\n"
    ".globl stack_function\nstack_function: ret\n");

/// A compare-exchange of 8 bytes that gets what is expected by address (its other arguments are left out here); an exchange.
Callee callee_at(std::uintptr_t code) {
  const auto is = [&](void (*function)()) { return code == reinterpret_cast<std::uintptr_t>(function); };
  if (is(&stack_operation)) return {Callee::Kind::kOperation, 0, 8, 1U << kRdi | 1U << kRsi, 0};
  if (is(&stack_exchange)) return {Callee::Kind::kOperation, 0, 8, 1U << kRdi, 1U << kRsi};
  if (is(&stack_access)) return {Callee::Kind::kAccess};
  if (is(&stack_end)) return {Callee::Kind::kEnd};
  if (is(&stack_returns_twice)) return {Callee::Kind::kReturnsTwice};
  if (is(&stack_function)) return {};
  return {Callee::Kind::kFunction, code};
}

std::vector<std::uintptr_t> test_catches;
bool add_test_catches(std::uintptr_t, std::vector<std::uintptr_t>& catches) {
  catches = test_catches;
  return true;
}

/// A letter for each 4 bytes from the stack pointer on: d is dead, L is live.
std::string letters(const DeadBytes& dead, int count) {
  std::string text;
  for (int i = 0; i < count; i += 4) text += dead.has(i) ? (dead.has(i + 3) ? "d" : "?") : (dead.has(i + 3) ? "?" : "L");
  return text;
}

constexpr CodeReader kTestReader = {&callee_at, &add_test_catches, [](std::uintptr_t) { return true; }};

/// Of one function. (Not kept: the same code is looked at with different catches.)
std::string bytes(void (*function)(), void (*site)(), int count, const std::vector<std::uintptr_t>& catches = {}) {
  test_catches = catches;
  const FunctionFrame frame = FunctionFrame::look_at(reinterpret_cast<std::uintptr_t>(function), kTestReader);
  test_catches.clear();
  const auto call = frame.calls.find(reinterpret_cast<std::uintptr_t>(site));
  DeadBytes dead;
  if (frame.is_known && call != frame.calls.end())
    for (int offset = call->second.stack; offset < 0; ++offset)
      if (!call->second.live[Places::of(Value::kFrame, offset).index]) dead.add(offset - call->second.stack);
  return letters(dead, count);
}
#define BYTES(NAME, ...) bytes(&stack_##NAME, &stack_##NAME##_site, __VA_ARGS__)

#define EXPECTED "movq $0, 8(%rsp)\nlea 8(%rsp), %rsi\ncall stack_operation"

CODE(retry, "sub $24, %rsp\n1: " EXPECTED SITE(retry) "test %al, %al\nje 1b\nadd $24, %rsp\nret");
TEST(StackLiveness, WhatIsWrittenBeforeItIsReadDoesNotMatter) { EXPECT_EQ(BYTES(retry, 24), "dddddd"); }

CODE(takes, "sub $24, %rsp\nmovq $0, 8(%rsp)\n1: lea 8(%rsp), %rsi\ncall stack_operation" SITE(takes) "test %al, %al\nje 1b\nadd $24, %rsp\nret");
TEST(StackLiveness, WhatAnOperationReadsMatters) { EXPECT_EQ(BYTES(takes, 24), "ddLLdd"); }

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
TEST(StackLiveness, APushedOneIsFollowed) { EXPECT_EQ(BYTES(pushed, 24), "dddddd"); }

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
TEST(StackLiveness, AnAnnouncementReadsNothing) { EXPECT_EQ(BYTES(announced, 24), "dddddd"); }

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

// --- slots that hold addresses

CODE(spilled, "sub $24, %rsp\nlea 8(%rsp), %rax\nmov %rax, 16(%rsp)\n1: movq $0, 8(%rsp)\nmov 16(%rsp), %rsi\ncall stack_operation" SITE(spilled) "test %al, %al\nje 1b\nadd $24, %rsp\nret");
TEST(StackLiveness, AddressesInSlotsAreFollowed) { EXPECT_EQ(BYTES(spilled, 24), "ddddLL"); }

CODE(spilled_read, "sub $24, %rsp\nlea 8(%rsp), %rax\nmov %rax, 16(%rsp)\n" EXPECTED SITE(spilled_read) "mov 16(%rsp), %rax\nmov (%rax), %rax\nadd $24, %rsp\nret");
TEST(StackLiveness, WhatIsReadThroughASlotMatters) { EXPECT_EQ(BYTES(spilled_read, 24), "ddLLLL"); }

CODE(cut, "sub $24, %rsp\nlea 8(%rsp), %rax\nmov %rax, 16(%rsp)\nmovl $0, 16(%rsp)\n" EXPECTED SITE(cut) "mov 20(%rsp), %eax\nadd $24, %rsp\nret");
TEST(StackLiveness, APartOfAnAddressInASlotIsNotUnderstood) { EXPECT_EQ(BYTES(cut, 24), "LLLLLL"); }

CODE(cut_away, "sub $24, %rsp\nlea 8(%rsp), %rax\nmov %rax, 16(%rsp)\nmovl $0, 16(%rsp)\n" EXPECTED SITE(cut_away) "mov 16(%rsp), %eax\nadd $24, %rsp\nret");
TEST(StackLiveness, WhatWasWrittenOverAnAddressIsNone) { EXPECT_EQ(BYTES(cut_away, 24), "ddddLd"); }

CODE(two_ways, "sub $24, %rsp\ntest %rdi, %rdi\nje 1f\nlea 8(%rsp), %rax\nmov %rax, 16(%rsp)\n1: " EXPECTED SITE(two_ways) "mov 16(%rsp), %rax\nmov (%rax), %rax\nadd $24, %rsp\nret");
TEST(StackLiveness, ASlotThatMayHoldAnAddressMayReachAnything) { EXPECT_EQ(BYTES(two_ways, 24), "LLLLLL"); }

CODE(other_way, "sub $24, %rsp\nlea 8(%rsp), %rax\nmov %rax, 16(%rsp)\ntest %rdi, %rdi\nje 2f\n1: " EXPECTED SITE(other_way) "mov 16(%rsp), %rax\nmov (%rax), %rax\nadd $24, %rsp\nret\n2: movq $0, 16(%rsp)\njmp 1b");
TEST(StackLiveness, SoMayOneInWhichItMayHaveBeenOverwritten) { EXPECT_EQ(BYTES(other_way, 24), "LLLLLL"); }

CODE(low_byte, "sub $24, %rsp\nlea 8(%rsp), %rax\nmov 16(%rsp), %al\n" EXPECTED SITE(low_byte) "add $24, %rsp\nret");
TEST(StackLiveness, TheLowestByteOfARegisterCanBeUsedAlone) { EXPECT_EQ(BYTES(low_byte, 24), "dddddd"); }

CODE(low_byte_read, "sub $24, %rsp\nlea 8(%rsp), %rax\nmov 16(%rsp), %al\nmov %ax, (%rdi)\n" EXPECTED SITE(low_byte_read) "add $24, %rsp\nret");
TEST(StackLiveness, ButNotTheRestBesideIt) { EXPECT_EQ(BYTES(low_byte_read, 24), "LLLLLL"); }

CODE(string, "sub $24, %rsp\nlea 8(%rsp), %rdi\nmov $1, %ecx\nrep stosq\n" EXPECTED SITE(string) "add $24, %rsp\nret");
TEST(StackLiveness, AStringInstructionIsNotUnderstood) { EXPECT_EQ(BYTES(string, 24), "LLLLLL"); }

CODE(masked, "sub $24, %rsp\n" EXPECTED SITE(masked) "vmaskmovps %xmm0, %xmm1, 8(%rsp)\nmov 8(%rsp), %rax\nadd $24, %rsp\nret");
TEST(StackLiveness, AMaskMayLeaveOutWhatIsWritten) { EXPECT_EQ(BYTES(masked, 24), "ddLLdd"); }

CODE(published, "sub $24, %rsp\nlea 8(%rsp), %rsi\ncall stack_exchange\n" EXPECTED SITE(published) "add $24, %rsp\nret");
TEST(StackLiveness, AnAddressThatAnOperationStoresMayBeUsedByAnybody) { EXPECT_EQ(BYTES(published, 24), "LLLLLL"); }

CODE(twice, "sub $24, %rsp\nxor %edi, %edi\ncall stack_returns_twice\n" EXPECTED SITE(twice) "add $24, %rsp\nret");
TEST(StackLiveness, AFunctionThatReturnsTwiceIsNotUnderstood) { EXPECT_EQ(BYTES(twice, 24), "LLLLLL"); }

// --- jumps through tables

#define CASES "1: mov 16(%rsp), %rax\nadd $24, %rsp\nret\n2: add $24, %rsp\nret\n"
#define TABLE(NAME) ".pushsection .rodata\n.balign 4\nstack_" #NAME "_table: .long 2b - stack_" #NAME "_table, 1b - stack_" #NAME "_table\n.popsection"
CODE(switched, "sub $24, %rsp\nmov %edi, 8(%rsp)\ncall stack_operation" SITE(switched)
     "cmpl $1, 8(%rsp)\nja 2f\nmov 8(%rsp), %eax\nlea stack_switched_table(%rip), %rdx\nmovslq (%rdx,%rax,4), %rax\nadd %rdx, %rax\njmp *%rax\n" CASES TABLE(switched));
TEST(StackLiveness, AllCasesOfASwitchCount) { EXPECT_EQ(BYTES(switched, 24), "ddLdLL"); }

CODE(clang, "sub $24, %rsp\ncall stack_operation" SITE(clang) "mov %eax, %ecx\nmov %rcx, 8(%rsp)\nsub $1, %eax\nja 2f\nmov 8(%rsp), %rax\nlea stack_clang_table(%rip), %rcx\n"
     "movslq (%rcx,%rax,4), %rax\nadd %rcx, %rax\njmp *%rax\n" CASES TABLE(clang));
TEST(StackLiveness, TheValueThatIsComparedMayHaveBeenCopiedBefore) { EXPECT_EQ(BYTES(clang, 24), "ddddLL"); }

CODE(gcc, "sub $24, %rsp\ncall stack_operation" SITE(gcc) "cmpl $1, 8(%rsp)\nja 2f\nmov 8(%rsp), %eax\nlea 0(,%rax,4), %rdx\nlea stack_gcc_table(%rip), %rax\n"
     "mov (%rdx,%rax), %eax\ncltq\nlea stack_gcc_table(%rip), %rdx\nadd %rdx, %rax\njmp *%rax\n" CASES TABLE(gcc));
TEST(StackLiveness, TheIndexMayBeMultipliedBefore) { EXPECT_EQ(BYTES(gcc, 24), "ddLdLL"); }

CODE(other_value, "sub $24, %rsp\ncall stack_operation" SITE(other_value) "cmp $0, %ecx\nja 2f\nmov 8(%rsp), %eax\nlea stack_other_value_table(%rip), %rdx\n"
     "movslq (%rdx,%rax,4), %rax\nadd %rdx, %rax\njmp *%rax\n" CASES TABLE(other_value));
TEST(StackLiveness, AComparisonOfAnotherValueSaysNothing) { EXPECT_EQ(BYTES(other_value, 24), "LLLLLL"); }

CODE(changed_index, "sub $24, %rsp\ncall stack_operation" SITE(changed_index) "cmp $0, %eax\nja 2f\nadd $1, %eax\nlea stack_changed_index_table(%rip), %rdx\n"
     "movslq (%rdx,%rax,4), %rax\nadd %rdx, %rax\njmp *%rax\n" CASES TABLE(changed_index));
TEST(StackLiveness, NorDoesOneOfAnIndexThatIsChanged) { EXPECT_EQ(BYTES(changed_index, 24), "LLLLLL"); }

// --- called functions

CODE(looks, "mov 4(%rdi), %eax\nret\n");
CODE(writes, "movq $0, (%rdi)\nret\n");
CODE(keeps, "mov %rdi, (%rsi)\nret\n");
CODE(follows, "mov (%rdi), %rax\nmov (%rax), %rax\nret\n");
CODE(gives_back, "mov %rdi, %rax\nret\n");
CODE(spills, "push %rbp\nmov %rsp, %rbp\nmov %rdi, -8(%rbp)\nmov -8(%rbp), %rax\nmov 4(%rax), %eax\npop %rbp\nret\n");
CODE(goes_on, "jmp stack_access\n");
CODE(goes_on_to_function, "jmp stack_function\n");
CODE(leaves_alone, "xor %eax, %eax\nret\n");
CODE(on_stack, "mov 12(%rsp), %eax\nret\n");
CODE(ends_it, "push %rax\ncall stack_end");
CODE(calls_unknown, "push %rbx\nmov %rdi, %rbx\nxor %edi, %edi\ncall stack_function\nmov (%rbx), %eax\npop %rbx\nret");
CODE(recurses, "call stack_recurses\nmov (%rdi), %eax\nret");

#define CALLS(NAME, WHOM) CODE(NAME, "sub $24, %rsp\n" EXPECTED SITE(NAME) "lea 8(%rsp), %rdi\ncall stack_" WHOM "\nadd $24, %rsp\nret")
CALLS(for_looks, "looks");
TEST(StackLiveness, WhatACalledFunctionReadsMatters) { EXPECT_EQ(BYTES(for_looks, 24), "dddLdd"); }
CALLS(for_spills, "spills");
TEST(StackLiveness, AlsoIfItKeepsTheAddressInASlotMeanwhile) { EXPECT_EQ(BYTES(for_spills, 24), "dddLdd"); }
CALLS(for_keeps, "keeps");
TEST(StackLiveness, AnAddressThatACalledFunctionStoresMayBeUsedByAnybody) { EXPECT_EQ(BYTES(for_keeps, 24), "LLLLLL"); }
CALLS(for_goes_on, "goes_on_to_function");
TEST(StackLiveness, SoMayOneWithWhichItGoesOnToAnother) { EXPECT_EQ(BYTES(for_goes_on, 24), "LLLLLL"); }
CALLS(for_recurses, "recurses");
TEST(StackLiveness, AFunctionThatCallsItselfIsNotUnderstood) { EXPECT_EQ(BYTES(for_recurses, 24), "LLLLLL"); }
CALLS(for_unknown, "calls_unknown");
TEST(StackLiveness, AFunctionMayCallOthersThatGetNothing) { EXPECT_EQ(BYTES(for_unknown, 24), "ddLddd"); }

CODE(writes_after, "sub $24, %rsp\n" EXPECTED SITE(writes_after) "lea 8(%rsp), %rdi\ncall stack_writes\nmov 8(%rsp), %rax\nadd $24, %rsp\nret");
TEST(StackLiveness, WhatACalledFunctionWritesIsNotWrittenForSure) { EXPECT_EQ(BYTES(writes_after, 24), "ddLLdd"); }

CODE(reads_behind, "sub $24, %rsp\n" EXPECTED SITE(reads_behind) "call stack_goes_on\nmov 16(%rsp), %rax\nadd $24, %rsp\nret");
TEST(StackLiveness, AFunctionThatEndsWithAnAccessReturns) { EXPECT_EQ(BYTES(reads_behind, 24), "ddddLL"); }

CODE(no_way_behind, "sub $24, %rsp\n" EXPECTED SITE(no_way_behind) "test %al, %al\nje 1f\nadd $24, %rsp\nret\n1: xor %edi, %edi\nxor %esi, %esi\ncall stack_ends_it\nmov 16(%rsp), %rax\nret");
TEST(StackLiveness, AFunctionThatComesToAnEndDoesNot) { EXPECT_EQ(BYTES(no_way_behind, 24), "dddddd"); }

CODE(capture, "sub $24, %rsp\nlea 8(%rsp), %rax\nmov %rax, 16(%rsp)\n" EXPECTED SITE(capture) "lea 16(%rsp), %rdi\ncall stack_follows\nadd $24, %rsp\nret");
TEST(StackLiveness, AnAddressThatACalledFunctionReadsMayReachAnything) { EXPECT_EQ(BYTES(capture, 24), "LLLLLL"); }

CODE(returned, "sub $24, %rsp\nlea 8(%rsp), %rdi\ncall stack_gives_back\nmov %rax, %rbx\n" EXPECTED SITE(returned) "mov 4(%rbx), %eax\nadd $24, %rsp\nret");
TEST(StackLiveness, AnAddressThatIsGivenBackIsFollowed) { EXPECT_EQ(BYTES(returned, 24), "dddLdd"); }

CODE(left_alone, "sub $24, %rsp\nlea 8(%rsp), %rcx\ncall stack_leaves_alone\nmov %rcx, %rbx\n" EXPECTED SITE(left_alone) "mov 4(%rbx), %eax\nadd $24, %rsp\nret");
TEST(StackLiveness, SoIsOneInARegisterThatTheFunctionLeavesAlone) { EXPECT_EQ(BYTES(left_alone, 24), "dddLdd"); }

CODE(argument_on_stack, "sub $24, %rsp\n" EXPECTED SITE(argument_on_stack) "call stack_on_stack\nadd $24, %rsp\nret");
TEST(StackLiveness, WhatACalledFunctionReadsOfTheCallersFrameMatters) { EXPECT_EQ(BYTES(argument_on_stack, 24), "dLdddd"); }

// --- callers' frames

std::uintptr_t address_of(void (*code)()) { return reinterpret_cast<std::uintptr_t>(code); }

/// Two frames of 24 bytes, with their return addresses.
std::string two_frames(void (*inner)(), void (*outer)()) {
  unsigned char stack[64] = {};
  const std::uintptr_t inner_return = address_of(outer);
  std::memcpy(stack + 24, &inner_return, sizeof inner_return);
  return letters(StackLiveness::look_at(address_of(inner), stack, sizeof stack, kTestReader), 56);
}

CODE(inner, "sub $24, %rsp\nmov %rdi, 16(%rsp)\n" EXPECTED SITE(inner) "mov 16(%rsp), %rax\nmov (%rax), %eax\nadd $24, %rsp\nret");
CODE(outer, "sub $24, %rsp\nlea 8(%rsp), %rdi\ncall stack_inner" SITE(outer) "mov 16(%rsp), %eax\nadd $24, %rsp\nret");
TEST(StackLiveness, WhatTheCallerReadsAndWhatItsCalleeStillReadsMatter) { EXPECT_EQ(two_frames(&stack_inner_site, &stack_outer_site), "ddddLLLLddLdLd"); }

CODE(done_before, "sub $24, %rsp\nmov (%rdi), %eax\n" EXPECTED SITE(done_before) "add $24, %rsp\nret");
CODE(outer_of_done, "sub $24, %rsp\nlea 8(%rsp), %rdi\ncall stack_done_before" SITE(outer_of_done) "add $24, %rsp\nret");
TEST(StackLiveness, WhatTheCalleeHasReadDoesNot) { EXPECT_EQ(two_frames(&stack_done_before_site, &stack_outer_of_done_site), "ddddddLLdddddd"); }

TEST(StackLiveness, ACallerThatHasCalledAnotherFunctionIsNotUnderstood) { EXPECT_EQ(two_frames(&stack_inner_site, &stack_outer_of_done_site), "ddddLLLLLLLLLL"); }

CODE(takes_from_stack, "sub $24, %rsp\n" EXPECTED SITE(takes_from_stack) "mov 36(%rsp), %eax\nadd $24, %rsp\nret");
CODE(outer_with_arguments, "sub $24, %rsp\ncall stack_takes_from_stack" SITE(outer_with_arguments) "add $24, %rsp\nret");
TEST(StackLiveness, ArgumentsOnTheStackMatterWhileTheCalleeMayReadThem) { EXPECT_EQ(two_frames(&stack_takes_from_stack_site, &stack_outer_with_arguments_site), "ddddddLLdLdddd"); }

}  // namespace
}  // namespace ordeal::runtime
