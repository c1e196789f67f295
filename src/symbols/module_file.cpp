#include "symbols/module_file.h"

#include <algorithm>

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "symbols/die.h"

namespace ordeal::symbols {
namespace {

constexpr int kDeepest = 64;  // nesting of scopes that is followed

std::string hexadecimal(const unsigned char* bytes, std::size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) (text += kDigits[bytes[i] >> 4]) += kDigits[bytes[i] & 15];
  return text;
}

bool is_scope(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || is_class(tag);
}

}  // namespace

ModuleFile::ModuleFile(const trace::Module& module) : path_(module.path), base_(module.base), end_(module.end) {
  elf_version(EV_CURRENT);
  open();
  if (elf_ != nullptr && is_other_build(module.build_id)) {
    problem_ = path_ + " was built again since the run: no lines and no names from it";
    dwarf_end(dwarf_);
    elf_end(elf_);
    dwarf_ = nullptr;
    elf_ = nullptr;
  }
}

ModuleFile::~ModuleFile() {
  dwarf_end(dwarf_);
  elf_end(elf_);
  if (descriptor_ >= 0) close(descriptor_);
}

void ModuleFile::open() {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ >= 0) elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
  if (elf_ == nullptr || elf_kind(elf_) != ELF_K_ELF) {
    problem_ = path_ + " cannot be read as a program: no lines and no names from it";
    elf_end(elf_);
    elf_ = nullptr;
    return;
  }
  dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  Dwarf_CU* unit = nullptr;
  if (dwarf_ == nullptr || dwarf_get_units(dwarf_, nullptr, &unit, nullptr, nullptr, nullptr, nullptr) != 0)
    problem_ = path_ + " has no debug information: compile with -g to see lines and names";
}

bool ModuleFile::is_other_build(const std::string& build_id) const {
  const void* bytes = nullptr;
  const ssize_t count = build_id.empty() ? 0 : dwelf_elf_gnu_build_id(elf_, &bytes);
  return count > 0 &&
         hexadecimal(static_cast<const unsigned char*>(bytes), static_cast<std::size_t>(count)) != build_id;
}

// Clang writes no .debug_aranges unless asked to, so the units are asked themselves.
void ModuleFile::index_units() {
  has_units_ = true;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die{}, sub_die{};
  while (dwarf_ != nullptr && dwarf_get_units(dwarf_, unit, &unit, nullptr, nullptr, &die, &sub_die) == 0) {
    if (dwarf_tag(&die) == DW_TAG_skeleton_unit && dwarf_tag(&sub_die) == DW_TAG_compile_unit) die = sub_die;
    add_ranges(die, units_);
  }
  sort(units_);
}

void ModuleFile::add_ranges(Dwarf_Die& die, std::vector<Range>& ranges) {
  Dwarf_Addr base = 0, start = 0, end = 0;
  ptrdiff_t offset = 0;
  while ((offset = dwarf_ranges(&die, offset, &base, &start, &end)) > 0)
    if (start < end) ranges.push_back({start, end, dwarf_dieoffset(&die)});
}

void ModuleFile::sort(std::vector<Range>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.start < b.start; });
}

std::optional<Dwarf_Die> ModuleFile::find(const std::vector<Range>& ranges, std::uint64_t address) const {
  auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                [](std::uint64_t wanted, const Range& range) { return wanted < range.start; });
  constexpr int kTried = 64;  // ranges overlap only if a file is wrong
  for (int i = 0; i < kTried && after != ranges.begin(); ++i) {
    const Range& range = *--after;
    Dwarf_Die die{};
    if (address < range.end && dwarf_offdie(dwarf_, range.die, &die) != nullptr) return die;
  }
  return std::nullopt;
}

std::optional<Dwarf_Die> ModuleFile::unit(std::uint64_t address) {
  if (!has_units_) index_units();
  return find(units_, address);
}

std::optional<Dwarf_Die> ModuleFile::function(std::uint64_t address) {
  if (!has_entries_) index_entries();
  return find(functions_, address);
}

void ModuleFile::index_entries() {
  has_entries_ = true;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die{};
  while (dwarf_ != nullptr && dwarf_get_units(dwarf_, unit, &unit, nullptr, nullptr, &die, nullptr) == 0)
    index_children(die, 0);
  sort(functions_);
  sort(variables_);
  sort(thread_locals_);
}

void ModuleFile::index_children(Dwarf_Die die, int depth) {
  Dwarf_Die child{};
  if (depth > kDeepest || dwarf_child(&die, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable) index_variable(child);
    if (tag == DW_TAG_subprogram) add_ranges(child, functions_);
    if ((is_class(tag) || tag == DW_TAG_base_type) && dwarf_hasattr(&child, DW_AT_declaration) == 0)
      if (const char* name = dwarf_diename(&child)) types_.emplace(name, dwarf_dieoffset(&child));
    if (is_scope(tag)) index_children(child, depth + 1);
  } while (dwarf_siblingof(&child, &child) == 0);
}

void ModuleFile::index_variable(Dwarf_Die& die) {
  const auto address = static_address(die), offset = thread_local_offset(die);
  if (!address && !offset) return;
  const auto type = type_of(die);
  const std::uint64_t size = type ? size_of(*type).value_or(1) : 1;
  (address ? variables_ : thread_locals_)
      .push_back({dwarf_dieoffset(&die), address ? *address : *offset, std::max<std::uint64_t>(size, 1)});
}

void ModuleFile::sort(std::vector<Variable>& variables) {
  std::stable_sort(variables.begin(), variables.end(),
                   [](const Variable& a, const Variable& b) { return a.address < b.address; });
}

std::optional<Variable> ModuleFile::variable(std::uint64_t address) {
  if (!has_entries_) index_entries();
  return find(variables_, address);
}

std::optional<Variable> ModuleFile::thread_local_variable(std::uint64_t offset) {
  if (!has_entries_) index_entries();
  return find(thread_locals_, offset);
}

std::optional<Variable> ModuleFile::find(const std::vector<Variable>& variables, std::uint64_t address) {
  auto after =
      std::upper_bound(variables.begin(), variables.end(), address,
                       [](std::uint64_t wanted, const Variable& variable) { return wanted < variable.address; });
  constexpr int kTried = 8;  // variables do not overlap, unless a file is wrong
  for (int i = 0; i < kTried && after != variables.begin(); ++i) {
    const Variable& variable = *--after;
    if (address - variable.address < variable.size) return variable;
  }
  return std::nullopt;
}

std::vector<Dwarf_Die> ModuleFile::types(std::string_view name) {
  if (!has_entries_) index_entries();
  std::vector<Dwarf_Die> found;
  const auto [begin, end] = types_.equal_range(name);
  for (auto it = begin; it != end; ++it) {
    Dwarf_Die die{};
    if (dwarf_offdie(dwarf_, it->second, &die) != nullptr) found.push_back(die);
  }
  return found;
}

std::optional<std::pair<std::string, std::uint64_t>> ModuleFile::symbol(std::uint64_t address, int symbol_type) const {
  Elf_Scn* section = nullptr;
  while (elf_ != nullptr && (section = elf_nextscn(elf_, section)) != nullptr) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr || header.sh_entsize == 0) continue;
    if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    const auto count = static_cast<int>(std::min<std::uint64_t>(header.sh_size / header.sh_entsize, 1U << 24));
    for (int i = 0; data != nullptr && i < count; ++i) {
      GElf_Sym symbol{};
      if (gelf_getsym(data, i, &symbol) == nullptr || GELF_ST_TYPE(symbol.st_info) != symbol_type) continue;
      if (symbol.st_shndx == SHN_UNDEF || address < symbol.st_value || address - symbol.st_value >= symbol.st_size)
        continue;
      const char* name = elf_strptr(elf_, header.sh_link, symbol.st_name);
      if (name != nullptr && *name != '\0') return {{name, address - symbol.st_value}};
    }
  }
  return std::nullopt;
}

}  // namespace ordeal::symbols
