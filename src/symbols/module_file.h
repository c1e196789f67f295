// One ELF file with its debug information: opened once, looked at often. A file that is missing, was built again since the
// run, or says nothing is told in words (`problem`); every look-up in it then finds nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <elfutils/libdw.h>
#include <libelf.h>

#include "trace/run_result.h"

namespace ordeal::symbols {

/// A place in the file's debug information, and where it is in memory.
struct Variable {
  Dwarf_Off die;
  std::uint64_t address;
  std::uint64_t size;
};

class ModuleFile {
 public:
  explicit ModuleFile(const trace::Module& module);
  ~ModuleFile();
  ModuleFile(const ModuleFile&) = delete;
  ModuleFile& operator=(const ModuleFile&) = delete;

  bool contains(std::uint64_t address) const { return address >= base_ && address < end_; }
  std::uint64_t base() const { return base_; }
  const std::string& path() const { return path_; }
  /// Empty: all is well.
  const std::string& problem() const { return problem_; }
  Dwarf* dwarf() const { return dwarf_; }

  // Addresses below are those in the file: as loaded, less base().
  /// The unit of this code.
  std::optional<Dwarf_Die> unit(std::uint64_t address);
  /// The function of this code, wherever it is nested.
  std::optional<Dwarf_Die> function(std::uint64_t address);
  /// The global or static variable that this byte lies in.
  std::optional<Variable> variable(std::uint64_t address);
  /// The thread-local variable at this offset in the module's thread-local storage.
  std::optional<Variable> thread_local_variable(std::uint64_t offset);
  /// Complete types by this name, without their namespace.
  std::vector<Dwarf_Die> types(std::string_view name);
  /// From the symbol table: the name, not demangled, and how far behind its start the address is.
  std::optional<std::pair<std::string, std::uint64_t>> symbol(std::uint64_t address, int symbol_type) const;

 private:
  struct Range {
    std::uint64_t start, end;
    Dwarf_Off die;
  };

  static std::optional<Variable> find(const std::vector<Variable>& variables, std::uint64_t address);
  static void sort(std::vector<Variable>& variables);
  std::optional<Dwarf_Die> find(const std::vector<Range>& ranges, std::uint64_t address) const;
  static void add_ranges(Dwarf_Die& die, std::vector<Range>& ranges);
  static void sort(std::vector<Range>& ranges);

  void open();
  bool is_other_build(const std::string& build_id) const;
  void index_units();
  void index_entries();
  void index_children(Dwarf_Die die, int depth);
  void index_variable(Dwarf_Die& die);

  std::string path_;
  std::uint64_t base_, end_;
  std::string problem_;
  int descriptor_ = -1;
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
  bool has_units_ = false;
  bool has_entries_ = false;
  std::vector<Range> units_, functions_;  // sorted by start
  std::vector<Variable> variables_;       // sorted by address
  std::vector<Variable> thread_locals_;   // sorted by address, which is an offset here
  std::multimap<std::string, Dwarf_Off, std::less<>> types_;
};

}  // namespace ordeal::symbols
