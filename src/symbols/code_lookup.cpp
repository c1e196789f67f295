#include "symbols/code_lookup.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <cxxabi.h>
#include <dwarf.h>

#include "symbols/die.h"

namespace ordeal::symbols {
namespace {

std::string absolute(Dwarf_Die& unit, const char* path) {
  if (path == nullptr) return "";
  std::filesystem::path file(path);
  Dwarf_Attribute directory{};
  if (file.is_relative() && dwarf_attr(&unit, DW_AT_comp_dir, &directory) != nullptr)
    if (const char* name = dwarf_formstring(&directory)) file = std::filesystem::path(name) / file;
  return file.lexically_normal().string();
}

void set_line(Dwarf_Die& unit, std::uint64_t address, RawFrame& frame) {
  Dwarf_Line* line = dwarf_getsrc_die(&unit, address);
  if (line == nullptr) return;
  int number = 0, column = 0;
  dwarf_lineno(line, &number);
  dwarf_linecol(line, &column);
  frame.file = absolute(unit, dwarf_linesrc(line, nullptr, nullptr));
  frame.line = static_cast<std::uint32_t>(number);
  frame.column = static_cast<std::uint32_t>(column);
}

/// Where an inlined function was called.
RawFrame call_site(Dwarf_Die& unit, Dwarf_Die inlined) {
  RawFrame frame;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const auto file = number_of(inlined, DW_AT_call_file);
  if (file && dwarf_getsrcfiles(&unit, &files, &count) == 0 && *file < count)
    frame.file = absolute(unit, dwarf_filesrc(files, *file, nullptr, nullptr));
  frame.line = static_cast<std::uint32_t>(number_of(inlined, DW_AT_call_line).value_or(0));
  frame.column = static_cast<std::uint32_t>(number_of(inlined, DW_AT_call_column).value_or(0));
  return frame;
}

bool is_block(int tag) {
  return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_try_block ||
         tag == DW_TAG_catch_block;
}

/// Appends the blocks and inlined functions around the address within this entry, outermost first.
void descend(Dwarf_Die die, std::uint64_t address, std::vector<Dwarf_Die>& scopes) {
  constexpr std::size_t kDeepest = 256;  // inlined functions nest deeply
  Dwarf_Die child{};
  if (scopes.size() > kDeepest || dwarf_child(&die, &child) != 0) return;
  do {
    if (!is_block(dwarf_tag(&child)) || dwarf_haspc(&child, address) <= 0) continue;
    scopes.push_back(child);
    return descend(child, address, scopes);
  } while (dwarf_siblingof(&child, &child) == 0);
}

}  // namespace

// Not by dwarf_getscopes: GCC puts the code of a lambda inside the function around it, where libdw does not look, because
// there the addresses are others.
std::vector<Dwarf_Die> scopes_at(ModuleFile& file, std::uint64_t address) {
  const auto function = file.function(address);
  if (!function) return {};
  std::vector<Dwarf_Die> scopes{*function};
  descend(*function, address, scopes);
  std::reverse(scopes.begin(), scopes.end());
  return scopes;
}

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // x is no type here
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status != 0 || text == nullptr ? name : text.get();
}

std::vector<RawFrame> code_frames(ModuleFile& file, std::uint64_t address) {
  const std::uint64_t wanted = address - file.base() - 1;
  std::vector<RawFrame> frames;
  auto unit = file.unit(wanted);
  RawFrame frame;
  if (unit) {
    set_line(*unit, wanted, frame);
    for (Dwarf_Die& scope : scopes_at(file, wanted)) {
      const int tag = dwarf_tag(&scope);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
      frame.function = qualified_name(scope);
      frames.push_back(frame);
      if (tag == DW_TAG_subprogram) return frames;
      frame = call_site(*unit, scope);
    }
  }
  if (const auto symbol = file.symbol(wanted, STT_FUNC)) {
    const std::string whole = demangled(symbol->first);
    frame.function = whole.substr(0, whole.find('('));
  }
  frames.push_back(frame);
  return frames;
}

}  // namespace ordeal::symbols
