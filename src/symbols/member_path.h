// Which part of a variable lies at an offset: ".slots[2].next". Base classes, anonymous members and names that are reserved
// for the library (`_M_i`, `__data`) are walked through and not shown: of a std::atomic or a std::mutex the user sees the
// variable itself, of a std::array its elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <elfutils/libdw.h>

#include "symbols/module_file.h"

namespace ordeal::symbols {

struct Part {
  std::string path;               // empty: the variable as a whole, or nobody knows
  std::optional<Dwarf_Die> type;  // of what is there, if that is no class or array
};

/// `file` completes types that are only declared in this unit.
Part member_path(ModuleFile& file, Dwarf_Die type, std::uint64_t offset, std::uint64_t size);

}  // namespace ordeal::symbols
