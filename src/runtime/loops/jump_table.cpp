#include "runtime/loops/jump_table.h"

#include <iterator>

namespace ordeal::runtime {
namespace {

/// A register, or memory at a distance from what one holds.
struct Location {
  int name = -1;  // -1: none
  bool is_memory = false;
  std::int64_t offset = 0;
  bool operator==(const Location&) const = default;
};

Location location_of(const ZydisDecodedOperand& operand) {
  if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER && operand.size >= 32) return {number_of(operand.reg.value)};
  const bool is_simple = operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type == ZYDIS_MEMOP_TYPE_MEM && operand.mem.index == ZYDIS_REGISTER_NONE && operand.mem.segment != ZYDIS_REGISTER_FS;
  return is_simple ? Location{number_of(operand.mem.base), true, operand.mem.disp.value} : Location{};
}

bool writes(const ZydisDecodedOperand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0; }

/// Whether the instruction leaves the location alone.
bool leaves(const FrameCode& code, const Location& location) {
  constexpr int kWord = 8;
  for (int i = 0; i < code.what.operand_count; ++i) {
    const ZydisDecodedOperand& operand = code.operands[i];
    if (!writes(operand)) continue;
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER && number_of(operand.reg.value) == location.name) return false;
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || !location.is_memory) continue;
    const Location written = location_of(operand);
    if (written.name != location.name || (written.offset < location.offset + kWord && location.offset < written.offset + operand.size / 8)) return false;
  }
  return true;
}

/// Where the value was before the instruction that is there behind it. False: nobody knows.
bool go_back(const FrameCode& code, Location& location) {
  if (leaves(code, location)) return true;
  const auto mnemonic = code.what.mnemonic;
  if (mnemonic == ZYDIS_MNEMONIC_CDQE) return location == Location{kRax};  // (the index is not negative: it is compared without sign)
  const bool is_move = mnemonic == ZYDIS_MNEMONIC_MOV || (mnemonic == ZYDIS_MNEMONIC_MOVSXD && code.operands[1].size == 32);
  if (!is_move || location_of(code.operands[0]) != location || code.operands[0].size < 32) return false;
  location = location_of(code.operands[1]);
  return location.name >= 0;
}

class Search {
 public:
  Search(const std::map<std::uintptr_t, FramePoint>& points, std::uintptr_t jump) : points_(points), at_(points.find(jump)) {}

  std::optional<JumpTable> look() {
    const ZydisDecodedOperand& jump = at_->second.code.operands[0];
    if (jump.type != ZYDIS_OPERAND_TYPE_REGISTER || !step() || code().what.mnemonic != ZYDIS_MNEMONIC_ADD || !find_load(number_of(jump.reg.value))) return std::nullopt;
    constexpr int kMost = 16;
    for (int i = 0; i < kMost && step(); ++i) {
      if (!look_at()) return std::nullopt;
      if (compared_.name >= 0 && compared_ == index_ && table_.begin != 0) return table_;
    }
    return std::nullopt;
  }

 private:
  const FrameCode& code() const { return at_->second.code; }
  /// One instruction back. False: nothing is known of it, or it is not always followed by this one.
  bool step() {
    const std::uintptr_t end = at_->first;
    if (at_ == points_.begin() || (--at_)->second.behind != end) return false;
    const auto category = code().what.meta.category;
    return category != ZYDIS_CATEGORY_CALL && category != ZYDIS_CATEGORY_UNCOND_BR && category != ZYDIS_CATEGORY_RET;
  }

  bool find_load(int target) {
    for (int i = 0; i < 4 && step(); ++i) {
      const ZydisDecodedOperand &to = code().operands[0], &from = code().operands[1];
      const auto mnemonic = code().what.mnemonic;
      const bool is_load = (mnemonic == ZYDIS_MNEMONIC_MOV || mnemonic == ZYDIS_MNEMONIC_MOVSXD) && from.type == ZYDIS_OPERAND_TYPE_MEMORY && from.size == 32;
      if (!is_load) continue;
      if (to.type != ZYDIS_OPERAND_TYPE_REGISTER || number_of(to.reg.value) != target || from.mem.disp.value != 0) return false;
      base_ = number_of(from.mem.base);
      const int index = number_of(from.mem.index);
      if (from.mem.scale == 4) index_ = {index};
      else scaled_ = base_, base_ = index;
      return base_ >= 0 && index >= 0 && (from.mem.scale == 4 || from.mem.scale == 1);
    }
    return false;
  }

  bool look_at() {
    const ZydisDecodedOperand &first = code().operands[0], &second = code().operands[1];
    const auto mnemonic = code().what.mnemonic;
    if (mnemonic == ZYDIS_MNEMONIC_LEA && second.mem.base == ZYDIS_REGISTER_RIP && number_of(first.reg.value) == base_ && table_.begin == 0) {
      table_.begin = at_->second.behind + static_cast<std::uintptr_t>(second.mem.disp.value);
      return index_.name != base_;
    }
    if (scaled_ >= 0 && mnemonic == ZYDIS_MNEMONIC_LEA && number_of(first.reg.value) == scaled_) {
      index_ = {number_of(second.mem.index)};
      const bool is_scaled = second.mem.base == ZYDIS_REGISTER_NONE && second.mem.scale == 4 && second.mem.disp.value == 0;
      scaled_ = -1;
      return is_scaled && index_.name >= 0;
    }
    if (table_.begin == 0 && !leaves(code(), {base_})) return false;
    if (scaled_ >= 0 && !leaves(code(), {scaled_})) return false;
    if (mnemonic == ZYDIS_MNEMONIC_JNBE && compared_.name < 0) return look_at_comparison();
    if (code().what.meta.category == ZYDIS_CATEGORY_COND_BR) return compared_.name >= 0;
    return (index_.name < 0 || go_back(code(), index_)) && (compared_.name < 0 || go_back(code(), compared_));
  }

  /// … which is just before the jump that leaves out the table.
  bool look_at_comparison() {
    if (!step() || index_.name < 0) return false;
    const auto mnemonic = code().what.mnemonic;
    if ((mnemonic != ZYDIS_MNEMONIC_CMP && mnemonic != ZYDIS_MNEMONIC_SUB) || code().operands[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE || code().operands[0].size < 32) return false;
    if (mnemonic == ZYDIS_MNEMONIC_SUB && !leaves(code(), index_)) return false;
    compared_ = location_of(code().operands[0]);
    table_.last = code().operands[1].imm.value.s;
    return compared_.name >= 0 && table_.last >= 0;
  }

  const std::map<std::uintptr_t, FramePoint>& points_;
  std::map<std::uintptr_t, FramePoint>::const_iterator at_;
  JumpTable table_;
  int base_ = -1, scaled_ = -1;  // registers that hold where the table begins, and the index times 4
  Location index_, compared_;
};

}  // namespace

std::optional<JumpTable> jump_table_of(const std::map<std::uintptr_t, FramePoint>& points, std::uintptr_t jump) { return Search(points, jump).look(); }

}  // namespace ordeal::runtime
