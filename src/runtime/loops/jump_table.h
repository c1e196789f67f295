// Jumps through tables, as compilers make them of `switch`.
//
//     cmp $5, %edi; ja other; lea table(%rip), %rdx; mov %edi, %eax; movslq (%rdx,%rax,4), %rax; add %rdx, %rax; jmp *%rax
//
// The table has distances from itself. How many is known from the comparison: going backwards from the jump, instruction by instruction, it is followed where the index was and where the value that was compared with a
// constant was, until they are the same. What looks otherwise is not understood.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "runtime/loops/frame_flow.h"

namespace ordeal::runtime {

struct JumpTable {
  std::uintptr_t begin = 0;
  std::int64_t last = 0;  // index
};

/// Of the computed jump at `jump`; `points` has the instructions before it.
std::optional<JumpTable> jump_table_of(const std::map<std::uintptr_t, FramePoint>& points, std::uintptr_t jump);

}  // namespace ordeal::runtime
