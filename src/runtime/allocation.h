// What malloc and its family (intercept_memory.cpp) and operator new and delete (operators.cpp) come down to.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/heap.h"

namespace ordeal::runtime {

/// Memory for the running program; nullptr: so much cannot be.
void* allocate(std::size_t size, std::size_t alignment, bool clear, Origin origin);

/// How a block is given back: by what, and what the program says about it.
struct Release {
  const char* by = "free()";
  AllocatedBy fits = AllocatedBy::kMalloc;
  std::uint8_t alignment = 0;  // as in Origin
  bool is_sized = false;
  std::size_t size = 0;
  std::uintptr_t site = 0;
};
/// Any block, of the program or not; nullptr is fine.
void give_back(void* block, const Release& release);

/// Whether the code that gives it back ends a text that copies of standard exceptions share (intercept_exception.cpp).
bool ends_shared_text(std::uintptr_t site);

/// Whether the program brings functions of its own for new and delete: then nothing is known of what fits.
bool are_operators_replaced();
/// REQUIRES: before the first execution.
void find_replaced_operators();

}  // namespace ordeal::runtime
