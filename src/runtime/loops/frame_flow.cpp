#include "runtime/loops/frame_flow.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <dlfcn.h>

#include "runtime/code_copies.h"
#include "runtime/loops/jump_table.h"
#include "runtime/loops/liveness.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kMostPoints = 4000;
constexpr int kMostOfTable = 256;
constexpr int kMostNumber = 64;  // of those that are followed: sizes

bool is_register(const ZydisDecodedOperand& operand) { return operand.type == ZYDIS_OPERAND_TYPE_REGISTER; }
bool is_memory(const ZydisDecodedOperand& operand) { return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN; }

/// 0: nobody knows.
std::uintptr_t target_of(const FramePoint& point) {
  const ZydisDecodedOperand& operand = point.code.operands[0];
  if (operand.type != ZYDIS_OPERAND_TYPE_IMMEDIATE || operand.imm.is_relative == 0) return 0;
  return point.behind + static_cast<std::uintptr_t>(operand.imm.value.s);
}

Value address_in(ZydisRegister name, const FrameState& state) {
  const int number = number_of(name);
  return number < 0 ? Value{} : state.registers[number];
}

/// Whether the address is in the program or one of its libraries.
bool is_in_module(std::uintptr_t address) {
  dl_find_object found;
  return _dl_find_object(reinterpret_cast<void*>(address), &found) == 0;
}

bool is_frame_with_room(const Value& stack) { return stack.base == Value::kFrame && stack.offset <= 0 && stack.offset >= -Places::kFrameBytes; }

}  // namespace

int number_of(ZydisRegister name) {
  const ZydisRegister whole = zydis().enclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
  return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15 ? whole - ZYDIS_REGISTER_RAX : -1;
}

bool is_whole_register(const ZydisDecodedOperand& operand) { return is_register(operand) && operand.size == 64 && number_of(operand.reg.value) >= 0; }

bool is_lowest_byte(const ZydisDecodedOperand& operand) {
  return is_register(operand) && operand.size == 8 && (operand.reg.value < ZYDIS_REGISTER_AH || operand.reg.value > ZYDIS_REGISTER_BH);
}

bool is_written_for_sure(const FrameCode& code, const ZydisDecodedOperand& operand) {
  constexpr int kMostBits = 128;
  const bool is_certain = operand.actions == ZYDIS_OPERAND_ACTION_WRITE || operand.actions == ZYDIS_OPERAND_ACTION_READWRITE;
  return is_certain && code.what.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && operand.size <= kMostBits;
}

bool only_clears(const FrameCode& code) {
  const ZydisDecodedOperand &one = code.operands[0], &other = code.operands[1];
  return (code.what.mnemonic == ZYDIS_MNEMONIC_XOR || code.what.mnemonic == ZYDIS_MNEMONIC_SUB) && is_register(one) && is_register(other) &&
         one.reg.value == other.reg.value && one.size >= 32;
}

Value FrameFlow::place_of(const ZydisDecodedOperand& memory, const FrameState& state) {
  const Value base = address_in(memory.mem.base, state), index = address_in(memory.mem.index, state);
  if (!base.may_be_address() && !index.may_be_address()) return {};
  const bool is_simple = memory.mem.index == ZYDIS_REGISTER_NONE && memory.mem.segment != ZYDIS_REGISTER_FS && memory.mem.segment != ZYDIS_REGISTER_GS;
  return is_simple && zydis().enclosing(ZYDIS_MACHINE_MODE_LONG_64, memory.mem.base) == memory.mem.base ? base.moved(memory.mem.disp.value) : Value{};
}

Value FrameFlow::value_of(const ZydisDecodedOperand& operand, const FrameState& state) {
  if (is_whole_register(operand)) return state.registers[number_of(operand.reg.value)];
  if (!is_memory(operand)) return {};
  const Value place = place_of(operand, state);
  return place.is_in_frame() ? state.load(place.offset, operand.size / 8) : Value{};
}

void FrameFlow::assign(const FrameCode& code, const ZydisDecodedOperand& operand, Value value, FrameState& state) {
  if (is_memory(operand)) {
    const Value place = place_of(operand, state);
    if (place.is_in_frame()) state.store(place.offset, operand.size / 8, value, is_written_for_sure(code, operand));
    return;
  }
  const int number = is_register(operand) ? number_of(operand.reg.value) : -1;
  if (number < 0) return;
  Value& held = state.registers[number];
  const bool is_whole = operand.size >= 32 && (operand.actions & ZYDIS_OPERAND_ACTION_CONDWRITE) == 0;
  if (is_whole) held = operand.size == 64 ? value : Value{};
  else if (held.may_be_address()) held = is_lowest_byte(operand) && (operand.actions & ZYDIS_OPERAND_ACTION_CONDWRITE) == 0 ? Value{Value::kRest, 0} : held.mixed_with(held);
}

bool FrameFlow::follow() {
  if (!reader_.add_catches(function_, catches_)) return false;
  // (Where an exception goes on, the stack pointer is what it is at all calls: at least at that of the border of the function.)
  if (!catches_.empty() && !reader_.is_function(function_)) return false;
  FrameState first;
  for (const Register name : kChangedByCalls) first.registers[name] = {name, 0};
  first.registers[kRsp] = {Value::kFrame, 0};
  come_to(function_, first);
  while (!to_do_.empty() && !is_unknown_) {
    const std::uintptr_t at = to_do_.back();
    to_do_.pop_back();
    pass(at);
  }
  return !is_unknown_;
}

void FrameFlow::come_to(std::uintptr_t at, const FrameState& state) {
  const auto [found, is_new] = points_.try_emplace(at);
  FramePoint& point = found->second;
  if (is_new) {
    if (points_.size() > kMostPoints || Liveness::function_of(at) != function_) return give_up();
    FrameCode& code = point.code;
    if (!ZYAN_SUCCESS(zydis().decode(&zydis().decoder, code_without_breakpoints(at), ZYDIS_MAX_INSTRUCTION_LENGTH, &code.what, code.operands))) return give_up();
    point.at = at;
    point.behind = at + code.what.length;
    point.before = state;
  } else if (!point.before.join(state)) {
    return;
  }
  to_do_.push_back(at);
}

void FrameFlow::go_on(FramePoint& point, std::uintptr_t to, const FrameState& state) {
  point.next.push_back(to);
  come_to(to, state);
}

void FrameFlow::pass(std::uintptr_t at) {
  FramePoint& point = points_.at(at);
  const ZydisDecodedInstruction& what = point.code.what;
  if (!is_frame_with_room(point.before.registers[kRsp])) return give_up();
  point.next.clear();
  switch (what.meta.category) {
    case ZYDIS_CATEGORY_RET:
      if (point.before.registers[kRsp].offset != 0) give_up();
      return;
    case ZYDIS_CATEGORY_UNCOND_BR: return pass_jump(point, point.before);
    case ZYDIS_CATEGORY_COND_BR: {
      const FrameState state = point.before;
      const std::uintptr_t target = target_of(point);
      if (target == 0) return give_up();
      go_on(point, target, state);
      return go_on(point, point.behind, state);
    }
    case ZYDIS_CATEGORY_CALL: return pass_call(point, point.before);
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_INTERRUPT: return give_up();
    default: break;
  }
  if (what.mnemonic == ZYDIS_MNEMONIC_UD2 || what.mnemonic == ZYDIS_MNEMONIC_HLT) return;
  FrameState state = point.before;
  change(point.code, state);
  go_on(point, point.behind, state);
}

// --- where it goes on ------------------------------------------------------------------------------------------------------------

void FrameFlow::pass_jump(FramePoint& point, const FrameState& before) {
  const FrameState state = before;
  const std::uintptr_t target = target_of(point);
  if (target == 0) return go_on_through_table(point, state);
  if (Liveness::function_of(target) == function_) return go_on(point, target, state);
  if (state.registers[kRsp].offset != 0) return give_up();  // not the last thing that the function does
  point.leaves_by_jump = true;
  look_at_callee(point, target);
  if (point.callee.kind == Callee::Kind::kReturnsTwice) give_up();
}

void FrameFlow::go_on_through_table(FramePoint& point, const FrameState& state) {
  const std::optional<JumpTable> table = jump_table_of(points_, point.at);
  if (!table || table->last >= kMostOfTable) return give_up();
  for (std::int64_t i = 0; i <= table->last; ++i) {
    std::int32_t distance = 0;
    const std::uintptr_t entry = table->begin + sizeof distance * static_cast<std::size_t>(i);
    if (!is_in_module(entry)) return give_up();
    std::memcpy(&distance, reinterpret_cast<const void*>(entry), sizeof distance);
    const std::uintptr_t target = table->begin + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(distance));
    if (Liveness::function_of(target) != function_) return give_up();
    go_on(point, target, state);
  }
}

Value FrameFlow::result_of(const FunctionFrame& callee, int name, const Value* before) {
  const Value result = callee.results[name];
  if (result.base >= 0) return before[result.base].moved(result.offset);
  const bool gets_address = std::any_of(std::begin(kChangedByCalls), std::end(kChangedByCalls), [&](Register given) { return before[given].may_be_address(); });
  return result.may_be_address() && result.base != Value::kFrame && gets_address ? Value::mixed() : Value{};
}

void FrameFlow::look_at_callee(FramePoint& point, std::uintptr_t target) {
  if (point.is_callee_known) return;
  point.is_callee_known = true;
  point.callee = target == 0 ? Callee{} : reader_.callee_at(target);
  if (point.callee.kind != Callee::Kind::kFunction) return;
  point.function = &FunctionFrame::of(point.callee.function, reader_);
  if (point.function->is_known) return;
  point.function = nullptr;
  point.callee.kind = Callee::Kind::kOther;
}

/// Slots that the call may write hold nothing that is known.
void FrameFlow::write_by_call(const FramePoint& point, const Value* registers, FrameState& behind) {
  const auto may_write = [&](Value place, int size) {
    if (place.is_in_frame()) behind.store(place.offset, size, {}, false);
  };
  if (point.function != nullptr) {
    for (std::size_t i = 0; i < point.function->writes.size(); ++i)
      if (point.function->writes[i]) may_write(Places::in_caller(static_cast<int>(i), registers), 1);
  } else if (point.callee.kind == Callee::Kind::kOperation) {
    for (int name = 0; name < kRegisters; ++name)
      if ((point.callee.pointers >> name & 1) != 0) may_write(registers[name], point.callee.size_at(registers));
  }
}

void FrameFlow::pass_call(FramePoint& point, FrameState state) {
  look_at_callee(point, target_of(point));
  if (point.callee.kind == Callee::Kind::kReturnsTwice) return give_up();
  const FunctionFrame* function = point.function;
  FrameState behind = state;
  for (const Register name : kChangedByCalls) behind.registers[name] = {};
  write_by_call(point, state.registers, behind);
  for (const std::uintptr_t pad : catches_) go_on(point, pad, behind);
  if (function != nullptr) {
    // (A register that is left alone on all ways may be known to be, by the compiler.)
    for (const Register name : kChangedByCalls)
      if (name == kRax || name == kRdx || function->results[name] == Value{name, 0}) behind.registers[name] = result_of(*function, name, state.registers);
  }
  const bool returns = point.callee.kind != Callee::Kind::kEnd && (function == nullptr || function->returns);
  if (returns && Liveness::function_of(point.behind) == function_) go_on(point, point.behind, behind);  // otherwise it does not return
}

// --- what it changes -------------------------------------------------------------------------------------------------------------

void FrameFlow::change(const FrameCode& code, FrameState& state) {
  const ZydisDecodedOperand &first = code.operands[0], &second = code.operands[1];
  switch (code.what.mnemonic) {
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_POP:
    case ZYDIS_MNEMONIC_LEAVE: return change_stack(code, state);
    case ZYDIS_MNEMONIC_MOV:
      if (is_register(first) && first.size >= 32 && number_of(first.reg.value) >= 0 && second.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        const std::int64_t number = second.imm.value.s;
        state.registers[number_of(first.reg.value)] = number >= 0 && number <= kMostNumber ? Value{Value::kNumber, static_cast<int>(number)} : Value{};
        return;
      }
      return assign(code, first, first.size == 64 ? value_of(second, state) : Value{}, state);
    case ZYDIS_MNEMONIC_LEA: return assign(code, first, place_of(second, state), state);
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB:
      if (!is_whole_register(first) || second.type != ZYDIS_OPERAND_TYPE_IMMEDIATE) break;
      return assign(code, first, value_of(first, state).moved(code.what.mnemonic == ZYDIS_MNEMONIC_ADD ? second.imm.value.s : -second.imm.value.s), state);
    default: break;
  }
  change_by_any(code, state);
}

void FrameFlow::change_stack(const FrameCode& code, FrameState& state) {
  constexpr int kWord = 8;
  const ZydisDecodedOperand& operand = code.operands[0];
  Value& stack = state.registers[kRsp];
  if (code.what.mnemonic == ZYDIS_MNEMONIC_LEAVE) {
    if (!is_frame_with_room(state.registers[kRbp])) return give_up();
    stack = state.registers[kRbp].moved(kWord);
    state.registers[kRbp] = state.load(stack.offset - kWord, kWord);
    return;
  }
  if (code.what.mnemonic == ZYDIS_MNEMONIC_PUSH) {
    if (operand.type != ZYDIS_OPERAND_TYPE_IMMEDIATE && operand.size != 64) return give_up();
    const Value value = value_of(operand, state);
    stack = stack.moved(-kWord);
    return state.store(stack.offset, kWord, value);
  }
  if (!is_whole_register(operand)) return give_up();
  const Value value = state.load(stack.offset, kWord);
  stack = stack.moved(kWord);
  state.registers[number_of(operand.reg.value)] = value;
}

/// What it computes is no address: those that it reads escape (function_frame.cpp).
void FrameFlow::change_by_any(const FrameCode& code, FrameState& state) {
  for (int i = 0; i < code.what.operand_count; ++i) {
    const ZydisDecodedOperand& operand = code.operands[i];
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) assign(code, operand, {}, state);
  }
}

}  // namespace ordeal::runtime
