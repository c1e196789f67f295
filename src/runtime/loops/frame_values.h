// What registers and slots of a frame may hold, as far as addresses of stacks are concerned (function_frame.h).
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <utility>
#include <vector>

namespace ordeal::runtime {

constexpr int kRegisters = 16;  // rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15
enum Register : std::uint8_t { kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi, kR8, kR9, kR10, kR11 };
constexpr Register kChangedByCalls[] = {kRax, kRcx, kRdx, kRsi, kRdi, kR8, kR9, kR10, kR11};

/// An address in the frame (offsets count from the stack pointer at the function's beginning: the frame's own are negative); what a register held at the
/// function's beginning, which may be an address in a caller's frame, and a distance from that; nothing of the kind, or just this number; one of several (or, if it is none of the own frame, `foreign`); or what is left of one of these but for the lowest byte.
struct Value {
  static constexpr int kNothing = -1, kMixed = -2, kFrame = -3, kRest = -4, kNumber = -5, kForeign = -6;  // otherwise a register
  int base = kNothing;
  int offset = 0;

  static Value mixed() { return {kMixed, 0}; }
  bool operator==(const Value&) const = default;
  /// Whether it is no address of the own frame, nor a part of one.
  bool is_foreign() const { return base >= 0 || base == kForeign || !may_be_address(); }
  /// This or another one, or a part.
  Value mixed_with(Value other) const { return is_foreign() && other.is_foreign() ? Value{kForeign, 0} : mixed(); }
  bool may_be_address() const { return base != kNothing && base != kNumber; }
  bool is_in_frame() const { return base == kFrame && offset < 0; }
  Value moved(std::int64_t by) const {
    constexpr std::int64_t kMost = 1 << 20;
    if (base == kNothing || base == kMixed || base == kForeign) return *this;
    if (base == kNumber) return {};
    if (base == kRest) return mixed();
    return by < -kMost || by > kMost || offset + by < -kMost || offset + by > kMost ? mixed() : Value{base, offset + static_cast<int>(by)};
  }
  /// Whether this is news.
  bool join(Value other) {
    if (*this == other || base == kMixed || (!other.may_be_address() && (base == kRest || base == kNothing))) return false;
    const Value before = *this;
    if (!may_be_address() && !other.may_be_address()) *this = {};
    else if (!may_be_address() && other.base == kRest) *this = other;
    else *this = mixed_with(other);
    return !(*this == before);
  }
};

/// Bytes of the frame that may hold an address, if they are eight, or a part of one.
struct Slot {
  static constexpr int kWord = 8;
  int offset = 0, size = kWord;
  Value value;

  bool operator==(const Slot&) const = default;
  int end() const { return offset + size; }
  bool meets(int begin, int bytes) const { return offset < begin + bytes && begin < end(); }
};

/// Before an instruction: the registers, and the slots of the frame.
struct FrameState {
  Value registers[kRegisters];
  std::vector<Slot> slots;

  /// Whether this is news.
  bool join(const FrameState& other) {
    bool has_changed = false;
    for (int i = 0; i < kRegisters; ++i) has_changed |= registers[i].join(other.registers[i]);
    for (Slot& slot : slots) has_changed |= slot.value.join(other.at(slot.offset, slot.size));
    for (const Slot& slot : other.slots) {
      if (at(slot.offset, slot.size).may_be_address()) continue;
      slots.push_back({slot.offset, slot.size, slot.value.mixed_with(slot.value)});
      has_changed = true;
    }
    return has_changed;
  }
  template <class Visit>
  void for_each_slot(int offset, int size, Visit&& visit) const {
    for (const Slot& slot : slots)
      if (slot.meets(offset, size)) visit(slot);
  }
  /// What is read there; a part of an address, or parts of two, is no address that anybody knows.
  Value load(int offset, int size) const {
    Value value;
    for_each_slot(offset, size, [&](const Slot& slot) { value = slot.offset == offset && slot.size == size && size == Slot::kWord && !value.may_be_address() ? slot.value : slot.value.mixed_with(value); });
    return value;
  }
  /// Something is written there, for sure or perhaps.
  void store(int offset, int size, Value value, bool is_sure = true) {
    std::vector<Slot> before;
    std::swap(before, slots);
    for (const Slot& slot : before) {
      if (!slot.meets(offset, size)) slots.push_back(slot);
      else if (!is_sure) slots.push_back({slot.offset, slot.size, slot.value.mixed_with(slot.value)});
      else {
        if (slot.offset < offset) slots.push_back({slot.offset, offset - slot.offset, slot.value.mixed_with(slot.value)});
        if (slot.end() > offset + size) slots.push_back({offset + size, slot.end() - offset - size, slot.value.mixed_with(slot.value)});
      }
    }
    if (value.may_be_address()) slots.push_back({offset, size, is_sure && size == Slot::kWord ? value : value.mixed_with(value)});
  }

 private:
  Value at(int offset, int size) const {
    for (const Slot& slot : slots)
      if (slot.offset == offset && slot.size == size) return slot.value;
    return {};
  }
};

/// Bytes that a function may reach: of its frame, of the caller's from where arguments lie on the stack, and behind the addresses that registers held at its beginning.
class Places {
 public:
  static constexpr int kFrameBytes = 1024, kStackBytes = 256, kPointedBytes = 128;
  static constexpr int kStackBegin = 8;  // above the return address
  using Bytes = std::bitset<kFrameBytes + kStackBytes + std::size(kChangedByCalls) * kPointedBytes>;
  static constexpr int kAnyOfStack = kFrameBytes + kStackBytes - 1;  // this one: nobody knows how much of the caller's

  enum class Where : std::uint8_t { kByte, kReturnAddress, kFurther };
  struct Place {
    Where where;
    std::size_t index = 0;
  };
  static Place of(int base, int offset) {
    if (base == Value::kFrame) {
      if (offset >= 0 && offset < kStackBegin) return {Where::kReturnAddress};
      if (offset < 0) return offset < -kFrameBytes ? Place{Where::kFurther} : byte(offset + kFrameBytes);
      return byte(std::min(kFrameBytes + offset - kStackBegin, kAnyOfStack));
    }
    if (offset < 0 || offset >= kPointedBytes) return {Where::kFurther};
    return byte(pointed_begin(base) + offset);
  }
  /// The byte of the frame or of what a register pointed to in the caller, whose registers at the call are given, that is `index` in the called function.
  static Value in_caller(int index, const Value* registers) {
    constexpr int kPointedBegin = kFrameBytes + kStackBytes;
    if (index < kPointedBegin) return registers[kRsp].moved(index - kFrameBytes);
    return registers[kChangedByCalls[(index - kPointedBegin) / kPointedBytes]].moved((index - kPointedBegin) % kPointedBytes);
  }
  /// Of what a register points to.
  static int pointed_begin(int name) {
    const auto* found = std::find(std::begin(kChangedByCalls), std::end(kChangedByCalls), name);
    return kFrameBytes + kStackBytes + static_cast<int>(found - std::begin(kChangedByCalls)) * kPointedBytes;
  }

 private:
  static Place byte(int index) { return {Where::kByte, static_cast<std::size_t>(index)}; }
};

}  // namespace ordeal::runtime
