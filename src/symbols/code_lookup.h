// From a return address to the functions and lines that the source has there, those that were inlined first.
//
// libdw gives the innermost scope of an address (dwarf_getscopes) and the entries around it (dwarf_getscopes_die). The line
// table tells where the innermost function is; each inlined function tells where it was called, which is where the next one is.
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

}  // namespace ordeal::symbols
