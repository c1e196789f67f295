#include "symbols/member_path.h"

#include <cctype>
#include <optional>

#include <dwarf.h>

#include "symbols/die.h"

namespace ordeal::symbols {
namespace {

constexpr int kDeepest = 48;
constexpr int kMostSteps = 10000;  // in a damaged file classes can contain each other

struct Member {
  Dwarf_Die type;
  std::string name;  // empty: a base class, or nothing to show
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  bool is_bit_field = false;
};

bool is_reserved(const std::string& name) {
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

std::string shown(const std::string& name) {
  if (name.starts_with("_vptr")) return ".vptr";
  return name.empty() || is_reserved(name) ? "" : "." + name;
}

std::optional<Member> describe(Dwarf_Die child) {
  const int tag = dwarf_tag(&child);
  if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return std::nullopt;
  if (dwarf_hasattr(&child, DW_AT_external) != 0 || dwarf_hasattr(&child, DW_AT_declaration) != 0) return std::nullopt;
  const auto type = type_of(child);
  if (!type) return std::nullopt;
  Member member{*type, tag == DW_TAG_member ? shown(plain_name(child)) : ""};
  member.size = size_of(*type).value_or(0);
  constexpr std::uint64_t kBits = 8;
  if (const auto bit = number_of(child, DW_AT_data_bit_offset)) {
    const std::uint64_t last = *bit + number_of(child, DW_AT_bit_size).value_or(1) - 1;
    member.start = *bit / kBits;
    member.size = last / kBits - member.start + 1;
    member.is_bit_field = true;
  } else if (dwarf_hasattr(&child, DW_AT_data_member_location) != 0) {
    const auto start = number_of(child, DW_AT_data_member_location);
    if (!start) return std::nullopt;  // computed at run time: a virtual base
    member.start = *start;
  }
  return member;
}

class Walk {
 public:
  Walk(ModuleFile& file, std::uint64_t size) : file_(file), size_(size) {}

  /// Nothing: this type has nothing at the offset.
  std::optional<Part> path(Dwarf_Die type, std::uint64_t offset, int depth) {
    if (depth > kDeepest || ++steps_ > kMostSteps) return Part{};
    const int tag = dwarf_tag(&type);
    if (tag == DW_TAG_array_type) return in_array(type, offset, depth);
    if (is_class(tag)) return in_class(completed(type), offset, depth);
    return Part{"", type};
  }

 private:
  std::optional<Part> in_array(Dwarf_Die array, std::uint64_t offset, int depth) {
    const auto element = type_of(array);
    const auto element_size = element ? size_of(*element) : std::nullopt;
    if (!element_size || *element_size == 0) return Part{};
    std::vector<std::uint64_t> counts = dimensions(array);
    std::uint64_t index = offset / *element_size;
    std::string text;
    for (std::size_t i = counts.size(); i > 1; --i) {
      const std::uint64_t count = counts[i - 1];
      if (count == 0) return Part{};
      text = "[" + std::to_string(index % count) + "]" + text;
      index /= count;
    }
    text = "[" + std::to_string(index) + "]" + text;
    if (size_ > *element_size && offset % *element_size == 0) return Part{text, {}};
    const Part rest = path(*element, offset % *element_size, depth + 1).value_or(Part{});
    return Part{text + rest.path, rest.type};
  }

  std::optional<Part> in_class(Dwarf_Die type, std::uint64_t offset, int depth) {
    const bool is_whole = offset == 0 && size_ >= size_of(type).value_or(0);
    std::optional<Part> found;
    Dwarf_Die child{};
    if (dwarf_child(&type, &child) != 0) return std::nullopt;
    do {
      const auto member = describe(child);
      if (!member || offset < member->start || offset - member->start >= member->size) continue;
      if (is_whole && member->size < size_) {
        found = Part{};  // a part only
        continue;
      }
      const auto rest = path(member->type, offset - member->start, depth + 1);
      if (!rest) continue;
      const bool is_union = dwarf_tag(&type) == DW_TAG_union_type;
      const bool is_storage = is_union && member->name.empty() && rest->path.starts_with('[');  // bytes of a type of the library: a sem_t
      if (member->is_bit_field) return Part{bit_fields(type, offset), {}};
      const Part part{member->name + (is_storage ? "" : rest->path), rest->type};
      if (member->size - (offset - member->start) >= size_ &&
          (!is_union || member->size == size_))
        return part;
      if (!found) found = part;
    } while (dwarf_siblingof(&child, &child) == 0);
    return found;
  }

  /// Neighbours are one memory location: ".{a, b}".
  std::string bit_fields(Dwarf_Die type, std::uint64_t offset) const {
    std::string names;
    int count = 0;
    Dwarf_Die child{};
    for (int more = dwarf_child(&type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
      const auto member = describe(child);
      if (!member || !member->is_bit_field || member->name.empty() || member->start >= offset + size_ || offset >= member->start + member->size) continue;
      names += (++count == 1 ? "" : ", ") + member->name.substr(1);
    }
    return count == 1 ? "." + names : ".{" + names + "}";
  }

  Dwarf_Die completed(Dwarf_Die type) {
    if (dwarf_hasattr(&type, DW_AT_declaration) == 0) return type;
    const std::vector<Dwarf_Die> complete = file_.types(plain_name(type));
    return complete.empty() ? type : complete.front();
  }

  ModuleFile& file_;
  std::uint64_t size_;
  int steps_ = 0;
};

}  // namespace

Part member_path(ModuleFile& file, Dwarf_Die type, std::uint64_t offset, std::uint64_t size) {
  return Walk(file, size == 0 ? 1 : size).path(type, offset, 0).value_or(Part{});
}

}  // namespace ordeal::symbols
