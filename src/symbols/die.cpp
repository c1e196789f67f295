#include "symbols/die.h"

#include <cstdlib>
#include <memory>
#include <span>

#include <dwarf.h>

namespace ordeal::symbols {
namespace {

constexpr int kLongestChain = 32;

std::optional<Dwarf_Die> referred(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute found{};
  Dwarf_Die target{};
  if (dwarf_attr(&die, attribute, &found) == nullptr || dwarf_formref_die(&found, &target) == nullptr)
    return std::nullopt;
  return target;
}

/// The entry that stands where the thing was declared: behind an inlined or out-of-class definition.
Dwarf_Die declaration(Dwarf_Die die) {
  for (int i = 0; i < kLongestChain; ++i) {
    auto next = referred(die, DW_AT_abstract_origin);
    if (!next) next = referred(die, DW_AT_specification);
    if (!next) break;
    die = *next;
  }
  return die;
}

bool is_qualifier(int tag) {
  return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
         tag == DW_TAG_atomic_type || tag == DW_TAG_restrict_type;
}

/// The entries around it, innermost first, itself first.
std::vector<Dwarf_Die> surroundings(Dwarf_Die die) {
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&die, &scopes);
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> owner(count > 0 ? scopes : nullptr, std::free);
  if (count <= 0) return {die};
  return {scopes, scopes + count};
}

std::string name_in(Dwarf_Die die, int depth);

/// The part of a name that comes from an entry around it.
std::string prefix_of(Dwarf_Die scope, int depth) {
  const int tag = dwarf_tag(&scope);
  const std::string name = plain_name(scope);
  if (tag == DW_TAG_namespace) return name.starts_with("__cxx11") ? "" : name;
  if (is_class(tag)) return name.empty() || name.starts_with("<lambda") ? "{lambda}" : name;
  return tag == DW_TAG_subprogram ? name_in(scope, depth + 1) : "";
}

std::string name_in(Dwarf_Die die, int depth) {
  constexpr int kDeepest = 6;  // functions in functions
  const Dwarf_Die declared = declaration(die);
  std::string name = plain_name(declared);
  if (name.empty()) name = plain_name(die);
  const std::vector<Dwarf_Die> scopes = surroundings(declared);
  Dwarf_Die self = declared;
  const bool is_variable = dwarf_tag(&self) == DW_TAG_variable || dwarf_tag(&self) == DW_TAG_formal_parameter;
  for (std::size_t i = 1; i < scopes.size() && depth < kDeepest; ++i) {
    Dwarf_Die scope = scopes[i];
    const bool is_function = dwarf_tag(&scope) == DW_TAG_subprogram;
    if (is_variable && is_function) break;
    const std::string prefix = prefix_of(scope, depth);
    if (prefix == "{lambda}" && name == "operator()")
      name = prefix;
    else if (!prefix.empty())
      name = prefix + "::" + name;
    if (is_function) break;  // its own name had the rest
  }
  return name;
}

std::optional<std::uint64_t> size_within(Dwarf_Die type, int depth) {
  if (depth > kLongestChain) return std::nullopt;
  if (const auto size = number_of(type, DW_AT_byte_size)) return size;
  const int tag = dwarf_tag(&type);
  if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type)
    return sizeof(void*);
  if (tag != DW_TAG_array_type) return std::nullopt;
  const auto element = type_of(type);
  auto size = element ? size_within(*element, depth + 1) : std::nullopt;
  for (const std::uint64_t count : dimensions(type))
    if (size && __builtin_mul_overflow(*size, count, &*size)) return std::nullopt;
  return size;
}

}  // namespace

bool is_class(int tag) { return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type; }

std::optional<std::uint64_t> number_of(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute found{};
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(&die, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0)
    return std::nullopt;
  return value;
}

std::string plain_name(Dwarf_Die die) {
  const char* name = dwarf_diename(&die);
  return name == nullptr ? "" : name;
}

std::string qualified_name(Dwarf_Die die) { return name_in(die, 0); }

std::optional<std::uint64_t> static_address(Dwarf_Die die) {
  Dwarf_Attribute location{}, address{};
  Dwarf_Op* expression = nullptr;
  std::size_t length = 0;
  if (dwarf_attr(&die, DW_AT_location, &location) == nullptr) return std::nullopt;
  if (dwarf_getlocation(&location, &expression, &length) != 0 || length == 0 || length > 2) return std::nullopt;
  const std::span<const Dwarf_Op> operations(expression, length);
  std::uint64_t start = operations[0].number;
  if (operations[0].atom == DW_OP_addrx || operations[0].atom == DW_OP_GNU_addr_index) {
    if (dwarf_getlocation_attr(&location, expression, &address) != 0 || dwarf_formaddr(&address, &start) != 0)
      return std::nullopt;
  } else if (operations[0].atom != DW_OP_addr) {
    return std::nullopt;
  }
  if (length == 1) return start;
  if (operations[1].atom != DW_OP_plus_uconst) return std::nullopt;  // thread-locals have another operation here
  return start + operations[1].number;
}

std::optional<std::uint64_t> thread_local_offset(Dwarf_Die die) {
  Dwarf_Attribute location{};
  Dwarf_Op* expression = nullptr;
  std::size_t length = 0;
  if (dwarf_attr(&die, DW_AT_location, &location) == nullptr) return std::nullopt;
  if (dwarf_getlocation(&location, &expression, &length) != 0 || length != 2) return std::nullopt;
  const std::span<const Dwarf_Op> operations(expression, length);
  const bool is_number =
      operations[0].atom == DW_OP_addr || operations[0].atom == DW_OP_const4u || operations[0].atom == DW_OP_const8u;
  const bool is_thread_local =
      operations[1].atom == DW_OP_form_tls_address || operations[1].atom == DW_OP_GNU_push_tls_address;
  return is_number && is_thread_local ? std::optional<std::uint64_t>(operations[0].number) : std::nullopt;
}

std::optional<Dwarf_Die> type_of(Dwarf_Die die) {
  Dwarf_Attribute attribute{};
  Dwarf_Die type{};
  if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr || dwarf_formref_die(&attribute, &type) == nullptr)
    return std::nullopt;
  for (int i = 0; is_qualifier(dwarf_tag(&type)); ++i) {
    const auto next = referred(type, DW_AT_type);
    if (!next || i > kLongestChain) return std::nullopt;
    type = *next;
  }
  return type;
}

std::optional<std::uint64_t> size_of(Dwarf_Die type) { return size_within(type, 0); }

std::vector<std::uint64_t> dimensions(Dwarf_Die array) {
  constexpr std::size_t kMost = 16;
  std::vector<std::uint64_t> counts;
  Dwarf_Die child{};
  if (dwarf_child(&array, &child) != 0) return counts;
  do {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    const auto count = number_of(child, DW_AT_count), last = number_of(child, DW_AT_upper_bound);
    counts.push_back(count ? *count : last ? *last + 1 : 0);
  } while (counts.size() < kMost && dwarf_siblingof(&child, &child) == 0);
  return counts;
}

}  // namespace ordeal::symbols
