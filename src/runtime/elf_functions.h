// The functions of an executable or shared library, from the symbols in its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ordeal::runtime {

struct ElfFunction {
  std::string name;        // as the linker knows it
  std::uintptr_t address;  // in the file
  std::size_t size;
};

struct ElfSymbols {
  std::vector<ElfFunction> functions;  // defined, with a size
  std::vector<std::string> wanted;     // names that other libraries must define
  bool wants(const char* name) const;
};

/// Never throws: of a file that cannot be read, or is no ELF file, all is empty.
ElfSymbols read_symbols(const std::string& path);

}  // namespace ordeal::runtime
