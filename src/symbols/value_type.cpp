#include "symbols/value_type.h"

#include <optional>

#include <dwarf.h>

#include "symbols/die.h"

namespace ordeal::symbols {
namespace {

using Kind = ValueType::Kind;

Kind kind_of_base(Dwarf_Die type) {
  switch (number_of(type, DW_AT_encoding).value_or(0)) {
    case DW_ATE_boolean: return Kind::kBool;
    case DW_ATE_signed:
    case DW_ATE_signed_char: return Kind::kSigned;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: return Kind::kUnsigned;
    case DW_ATE_float: return Kind::kFloat;
    default: return Kind::kUnknown;
  }
}

std::optional<std::int64_t> constant_of(Dwarf_Die enumerator) {
  Dwarf_Attribute attribute{};
  Dwarf_Sword value = 0;
  if (dwarf_attr(&enumerator, DW_AT_const_value, &attribute) == nullptr || dwarf_formsdata(&attribute, &value) != 0)
    return std::nullopt;
  return value;
}

ValueType enumeration(Dwarf_Die type) {
  constexpr std::size_t kMost = 1000;
  ValueType result{Kind::kEnumeration, {}};
  Dwarf_Die child{};
  if (dwarf_child(&type, &child) != 0) return result;
  do {
    if (dwarf_tag(&child) != DW_TAG_enumerator) continue;
    if (const auto value = constant_of(child)) result.enumerators.emplace_back(*value, plain_name(child));
  } while (result.enumerators.size() < kMost && dwarf_siblingof(&child, &child) == 0);
  return result;
}

}  // namespace

ValueType value_type(Dwarf_Die type, std::uint64_t size) {
  if (size_of(type).value_or(0) != size) return {};
  switch (dwarf_tag(&type)) {
    case DW_TAG_base_type: return {kind_of_base(type), {}};
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: return {Kind::kPointer, {}};
    case DW_TAG_enumeration_type: return enumeration(type);
    default: return {};
  }
}

}  // namespace ordeal::symbols
