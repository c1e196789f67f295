// Code as the files have it, for those who read instructions while a debugger has its breakpoints in the code (debugger.h): what they find
// out decides where waiting loops are recognised, so an execution with breakpoints would be another one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ordeal::runtime {

struct CodeCopy {
  std::uintptr_t begin = 0, end = 0;  // of the code
  std::ptrdiff_t distance = 0;        // from there to the copy
};

constexpr int kMostCodeCopies = 256;
inline CodeCopy code_copies[kMostCodeCopies];
inline int code_copy_count = 0;

/// Makes the copies: of the executable and its libraries.
void keep_code_without_breakpoints();

inline const void* code_without_breakpoints(std::uintptr_t code) {
  for (int i = 0; i < code_copy_count; ++i)
    if (code - code_copies[i].begin < code_copies[i].end - code_copies[i].begin)
      return reinterpret_cast<const void*>(code + static_cast<std::uintptr_t>(code_copies[i].distance));
  return reinterpret_cast<const void*>(code);
}

}  // namespace ordeal::runtime
