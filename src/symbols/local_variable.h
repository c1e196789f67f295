// Which local variable of a function lies at an address of its frame. The compiler says where it keeps a variable, relative to
// the frame: to its CFA, to its stack pointer, or to the frame pointer, which by convention points 16 bytes below the CFA.
//
// Of an optimised function it may say only what a variable's value is, not where (Clang does so of what a lambda captures). If
// no variable is known to be at the address, and exactly one of the function's own has no place, it must be that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "symbols/module_file.h"

namespace ordeal::symbols {

struct FramePlace {
  std::uint64_t code = 0;           // where the function stands: an address in the file
  std::uint64_t stack_pointer = 0;  // there
  std::uint64_t cfa = 0;
};

struct LocalVariable {
  Dwarf_Die die;
  std::string function;  // the one that it is written in, which may have been inlined
  std::uint64_t address = 0;
};

/// Of `size` bytes at `address`.
std::optional<LocalVariable> local_variable(ModuleFile& file, const FramePlace& frame, std::uint64_t address,
                                            std::uint64_t size);

}  // namespace ordeal::symbols
