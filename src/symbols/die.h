// What this folder asks of an entry (DIE) of the debug information. Every chain that is followed has a bound: a damaged
// file may have cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

namespace ordeal::symbols {

bool is_class(int tag);
/// A number attribute.
std::optional<std::uint64_t> number_of(Dwarf_Die die, unsigned attribute);
/// Its name in the source, empty if it has none.
std::string plain_name(Dwarf_Die die);
/// With namespaces and classes around it: "app::Queue::push". Of a lambda: "app::run::{lambda}". Anonymous namespaces and,
/// for variables, functions are left out.
std::string qualified_name(Dwarf_Die die);
/// The address of a variable that is always at the same place.
std::optional<std::uint64_t> static_address(Dwarf_Die die);
/// Where a thread-local variable is in the thread-local storage of its module.
std::optional<std::uint64_t> thread_local_offset(Dwarf_Die die);
/// The type without typedef, const, volatile, _Atomic.
std::optional<Dwarf_Die> type_of(Dwarf_Die die);
std::optional<std::uint64_t> size_of(Dwarf_Die type);
/// Of an array type: how many elements, a number a dimension; 0: not known.
std::vector<std::uint64_t> dimensions(Dwarf_Die array);

}  // namespace ordeal::symbols
