#include "tools/assembler.h"

#include <gtest/gtest.h>

namespace ordeal::tools {
namespace {

TEST(Assembler, KnowsWhatTouchesMemory) {
  for (const char* instructions : {"lock; incl x(%rip)", "lock\n\tincl x(%rip)", "mfence", "xchgl %eax, (%rdx)", "1: lock xaddl %eax, (%rcx)", "movl (%rax), %ebx",
                                   "movq %rax, 8(%rdi)", "rep movsb", "rep; stosb", "nop; sfence", "cmpxchg16b (%rsi)", "syscall"})
    EXPECT_TRUE(touches_memory(instructions)) << instructions;
}

TEST(Assembler, KnowsWhatDoesNot) {
  for (const char* instructions : {"", "# 12 \"file.c\" 1\n# 0 \"\" 2", "pause", "rep; nop", "rep nop", "bsrl -4(%rsp), %eax", "bsrl %eax, %eax", "cpuid", "rdtsc",
                                   "leaq 8(%rax), %rbx", "prefetcht0 (%rax)", "movsbl %al, %eax", "nopw 0(%rax)", "1:\n\t.pushsection .notes\n\t.quad 1b\n\tmovl (%rax), %eax\n\t.popsection",
                                   "movl -8(%rbp), %eax"})
    EXPECT_FALSE(touches_memory(instructions)) << instructions;
}

TEST(Assembler, MarksFunctionsOnly) {
  const std::string block = "#APP\n# 3 \"file.c\" 1\n\tlock; incl (%rax)\n# 0 \"\" 2\n#NO_APP\n";
  const std::string marked = "#APP\n\tcall\t__ordeal_inline_assembly@PLT\n# 3 \"file.c\" 1\n\tlock; incl (%rax)\n# 0 \"\" 2\n#NO_APP\n";
  EXPECT_EQ(with_marked_assembly("f:\n\t.cfi_startproc\n" + block + "\tret\n\t.cfi_endproc\n"), "f:\n\t.cfi_startproc\n" + marked + "\tret\n\t.cfi_endproc\n");
  EXPECT_EQ(with_marked_assembly(block), std::nullopt);
  EXPECT_EQ(with_marked_assembly("f:\n\t.cfi_startproc\n#APP\n\tpause\n#NO_APP\n\t.cfi_endproc\n"), std::nullopt);
  EXPECT_EQ(with_marked_assembly("f:\n\t.cfi_startproc\n\tlock\n\t.cfi_endproc\n"), std::nullopt);
}

}  // namespace
}  // namespace ordeal::tools
