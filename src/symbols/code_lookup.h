// From a return address to the functions and lines that the source has there, those that were inlined first.
//
// Inside the function that has the address, we go down to the innermost inlined function. The line table tells where that is;
// each inlined function tells where it was called, which is where the next one is.
#pragma once

#include <string>
#include <vector>

#include "symbols/module_file.h"

namespace ordeal::symbols {

struct RawFrame {
  std::string function;  // with namespaces and template arguments; may be empty
  std::string file;      // absolute where the compiler says enough; empty: unknown
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// `address` is one behind the call, as loaded. Never empty: at least a frame without a name.
std::vector<RawFrame> code_frames(ModuleFile& file, std::uint64_t address);

/// As the source has it: "queue::push(int)"; other names stay as they are.
std::string demangled(const std::string& name);

/// The blocks and inlined functions around an address in the file, innermost first, and the function itself as the last.
std::vector<Dwarf_Die> scopes_at(ModuleFile& file, std::uint64_t address);

}  // namespace ordeal::symbols
