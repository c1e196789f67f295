// How the values of a variable are to be written: what the debug information says about its type, in a form that outlives it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <elfutils/libdw.h>

namespace ordeal::symbols {

struct ValueType {
  enum class Kind : std::uint8_t { kUnknown, kSigned, kUnsigned, kBool, kPointer, kFloat, kEnumeration };
  Kind kind = Kind::kUnknown;
  std::vector<std::pair<std::int64_t, std::string>> enumerators;
  bool operator==(const ValueType&) const = default;
};

/// Unknown if values of this type do not have `size` bytes.
ValueType value_type(Dwarf_Die type, std::uint64_t size);

}  // namespace ordeal::symbols
