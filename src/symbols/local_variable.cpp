#include "symbols/local_variable.h"

#include <dwarf.h>

#include "symbols/code_lookup.h"
#include "symbols/die.h"

namespace ordeal::symbols {
namespace {

constexpr unsigned kFramePointer = 6, kStackPointer = 7;  // DWARF numbers of rbp and rsp
constexpr std::uint64_t kBelowCfa = 16;  // the frame pointer: return address and old frame pointer lie above it

/// The only operation of the attribute, at this place in the code.
std::optional<Dwarf_Op> only_operation(Dwarf_Die die, unsigned attribute, std::uint64_t code) {
  Dwarf_Attribute found{};
  Dwarf_Op* expression = nullptr;
  std::size_t length = 0;
  if (dwarf_attr_integrate(&die, attribute, &found) == nullptr) return std::nullopt;
  if (dwarf_getlocation_addr(&found, code, &expression, &length, 1) != 1 || length != 1) return std::nullopt;
  return *expression;
}

std::optional<std::uint64_t> register_value(unsigned number, const FramePlace& frame) {
  if (number == kFramePointer) return frame.cfa - kBelowCfa;
  if (number == kStackPointer) return frame.stack_pointer;
  return std::nullopt;
}

std::optional<std::uint64_t> frame_base(Dwarf_Die function, const FramePlace& frame) {
  const auto operation = only_operation(function, DW_AT_frame_base, frame.code);
  if (!operation) return std::nullopt;
  if (operation->atom == DW_OP_call_frame_cfa) return frame.cfa;
  if (operation->atom >= DW_OP_reg0 && operation->atom <= DW_OP_reg31)
    return register_value(operation->atom - DW_OP_reg0, frame);
  if (operation->atom < DW_OP_breg0 || operation->atom > DW_OP_breg31) return std::nullopt;
  const auto value = register_value(operation->atom - DW_OP_breg0, frame);
  return value ? std::optional(*value + operation->number) : std::nullopt;
}

class Search {
 public:
  Search(ModuleFile& file, const FramePlace& frame, std::uint64_t address, std::uint64_t size)
      : frame_(frame), address_(address), size_(size), scopes_(scopes_at(file, frame.code)) {
    if (!scopes_.empty()) base_ = frame_base(scopes_.back(), frame);
  }

  std::optional<LocalVariable> find() {
    if (scopes_.empty()) return std::nullopt;
    Dwarf_Die function = scopes_.back();
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      if (dwarf_tag(&scopes_[i]) == DW_TAG_inlined_subroutine) function = scopes_[i];
      look_into(scopes_[i], function);
    }
    if (found_ || without_place_.size() != 1) return found_;
    return LocalVariable{without_place_.front(), qualified_name(scopes_.back()), address_};
  }

 private:
  std::optional<std::uint64_t> place_of(Dwarf_Die variable) const {
    const auto operation = only_operation(variable, DW_AT_location, frame_.code);
    if (!operation) return std::nullopt;
    if (operation->atom == DW_OP_fbreg && base_) return *base_ + operation->number;
    if (operation->atom < DW_OP_breg0 || operation->atom > DW_OP_breg31) return std::nullopt;
    const auto value = register_value(operation->atom - DW_OP_breg0, frame_);
    return value ? std::optional(*value + operation->number) : std::nullopt;
  }

  /// Of blocks that are entered only: variables of different blocks may share a place. The innermost wins.
  void look_into(Dwarf_Die scope, Dwarf_Die function) {
    Dwarf_Die child{};
    if (dwarf_child(&scope, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) look_at(child, function);
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  /// Not of an inlined function, and no name for something else.
  bool is_own(Dwarf_Die variable, Dwarf_Die type, Dwarf_Die function) const {
    Dwarf_Die outermost = scopes_.back();
    const int tag = dwarf_tag(&type);
    return dwarf_dieoffset(&function) == dwarf_dieoffset(&outermost) && tag != DW_TAG_reference_type &&
           tag != DW_TAG_rvalue_reference_type && dwarf_hasattr_integrate(&variable, DW_AT_artificial) == 0;
  }

  void look_at(Dwarf_Die variable, Dwarf_Die function) {
    const auto start = place_of(variable);
    const auto type = type_of(variable);
    const std::uint64_t size = type ? size_of(*type).value_or(1) : 1;
    if (!start && type && size == size_ && is_own(variable, *type, function)) without_place_.push_back(variable);
    if (!start || address_ < *start || address_ - *start >= size || plain_name(variable).empty()) return;
    found_ = LocalVariable{variable, qualified_name(function), *start};
  }

  FramePlace frame_;
  std::uint64_t address_, size_;
  std::vector<Dwarf_Die> scopes_;  // innermost first
  std::optional<std::uint64_t> base_;
  std::optional<LocalVariable> found_;
  std::vector<Dwarf_Die> without_place_;
};

}  // namespace

std::optional<LocalVariable> local_variable(ModuleFile& file, const FramePlace& frame, std::uint64_t address,
                                            std::uint64_t size) {
  return Search(file, frame, address, size).find();
}

}  // namespace ordeal::symbols
