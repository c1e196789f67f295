// What an executable or shared library needs, read from its file: enough to see whether `ordeal c++` built it.
#pragma once

#include <string>
#include <vector>

namespace ordeal::tools {

struct ElfFile {
  bool is_program = false;             // a 64-bit ELF executable for this machine, position independent or not
  std::vector<std::string> libraries;  // that it is linked with, in order
  std::vector<std::string> undefined;  // names that libraries must define
  bool needs(const std::string& library) const;
  bool refers_to(const std::string& name) const;
};

/// Never throws: of a file that cannot be read, or is no ELF file, all is empty.
ElfFile read_elf(const std::string& path);

/// Whether the program defines this name, or wants it from a library. A stripped one tells only of the latter.
bool has_symbol(const std::string& path, const std::string& name);

/// Why this program cannot be checked and what to do, or nothing if `ordeal cc` or `ordeal c++` built it.
std::string why_not_checkable(const std::string& path);

}  // namespace ordeal::tools
