#include "runtime/loops/liveness.h"

#include <unwind.h>

#include <algorithm>
#include <map>

#include "runtime/code_copies.h"
#include "runtime/decoder.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kMostInstructions = 4000;

std::uint8_t bit_of(ZydisRegister name) {
  switch (zydis().enclosing(ZYDIS_MACHINE_MODE_LONG_64, name)) {
    case ZYDIS_REGISTER_RBX: return 1 << 0;
    case ZYDIS_REGISTER_RBP: return 1 << 1;
    case ZYDIS_REGISTER_R12: return 1 << 2;
    case ZYDIS_REGISTER_R13: return 1 << 3;
    case ZYDIS_REGISTER_R14: return 1 << 4;
    case ZYDIS_REGISTER_R15: return 1 << 5;
    case ZYDIS_REGISTER_RAX: return Liveness::kResult;
    default: return 0;
  }
}

struct Instruction {
  std::uint8_t reads = 0, writes = 0;
  bool leads_anywhere = false;  // nobody knows where, or to the caller: all registers matter then
  std::vector<std::uintptr_t> next;
  std::uint8_t live = 0;        // before it
};

bool is_known_code(std::uintptr_t code) { return Liveness::function_of(code) != 0; }

/// What may be read from there on: no further than the page, if nothing is known of the next.
std::size_t readable(std::uintptr_t code) {
  constexpr std::uintptr_t kPage = 4096;
  const std::uintptr_t end = (code / kPage + 1) * kPage;
  return is_known_code(end) ? ZYDIS_MAX_INSTRUCTION_LENGTH : std::min<std::size_t>(ZYDIS_MAX_INSTRUCTION_LENGTH, end - code);
}

void add_operands(const ZydisDecodedInstruction& decoded, const ZydisDecodedOperand* operands, Instruction& instruction) {
  for (int i = 0; i < decoded.operand_count; ++i) {
    const ZydisDecodedOperand& operand = operands[i];
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) instruction.reads |= static_cast<std::uint8_t>(bit_of(operand.mem.base) | bit_of(operand.mem.index));
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    const std::uint8_t bit = bit_of(operand.reg.value);
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) instruction.reads |= bit;
    // A write of 8 or 16 bits leaves the rest, one of 32 bits clears it.
    if ((operand.actions & ZYDIS_OPERAND_ACTION_WRITE) != 0 && operand.size >= 32) instruction.writes |= bit;
  }
  const bool clears = (decoded.mnemonic == ZYDIS_MNEMONIC_XOR || decoded.mnemonic == ZYDIS_MNEMONIC_SUB) &&
                      operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                      operands[0].reg.value == operands[1].reg.value;
  if (clears) instruction.reads = 0;
}

Instruction decode(std::uintptr_t code, std::uintptr_t function, const std::vector<std::uintptr_t>& catches) {
  Instruction instruction;
  ZydisDecodedInstruction decoded;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (!is_known_code(code) || !ZYAN_SUCCESS(zydis().decode(&zydis().decoder, code_without_breakpoints(code), readable(code), &decoded, operands))) {
    instruction.leads_anywhere = true;
    return instruction;
  }
  add_operands(decoded, operands, instruction);
  const std::uintptr_t behind = code + decoded.length;
  const auto jump = [&] {
    if (operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operands[0].imm.is_relative != 0) instruction.next.push_back(behind + static_cast<std::uintptr_t>(operands[0].imm.value.s));
    else instruction.leads_anywhere = true;
  };
  switch (decoded.meta.category) {
    case ZYDIS_CATEGORY_RET: instruction.leads_anywhere = true; return instruction;
    case ZYDIS_CATEGORY_UNCOND_BR: jump(); return instruction;
    case ZYDIS_CATEGORY_COND_BR:
      jump();
      instruction.next.push_back(behind);
      return instruction;
    case ZYDIS_CATEGORY_CALL:
      if (Liveness::function_of(code) != function) instruction.leads_anywhere = true;
      instruction.writes |= Liveness::kResult;
      instruction.next = catches;
      instruction.next.push_back(behind);
      return instruction;
    default: break;
  }
  if (decoded.mnemonic != ZYDIS_MNEMONIC_UD2 && decoded.mnemonic != ZYDIS_MNEMONIC_HLT) instruction.next.push_back(behind);
  return instruction;
}

}  // namespace

std::uintptr_t Liveness::function_of(std::uintptr_t code) {
  return reinterpret_cast<std::uintptr_t>(_Unwind_FindEnclosingFunction(reinterpret_cast<void*>(code + 1)));  // it takes the address behind a call
}

std::uint8_t Liveness::look_at(std::uintptr_t code, std::uintptr_t function, const std::vector<std::uintptr_t>& catches) {
  if (!zydis().is_there) return kAll | kResult;
  std::map<std::uintptr_t, Instruction> instructions;
  std::vector<std::uintptr_t> to_do{code};
  while (!to_do.empty()) {
    const std::uintptr_t at = to_do.back();
    to_do.pop_back();
    if (instructions.contains(at)) continue;
    if (instructions.size() == kMostInstructions) return kAll | kResult;
    const Instruction& decoded = instructions[at] = decode(at, function, catches);
    to_do.insert(to_do.end(), decoded.next.begin(), decoded.next.end());
  }
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (auto at = instructions.rbegin(); at != instructions.rend(); ++at) {
      Instruction& instruction = at->second;
      std::uint8_t behind = instruction.leads_anywhere ? kAll | kResult : 0;
      for (const std::uintptr_t next : instruction.next) behind |= instructions[next].live;
      const auto live = static_cast<std::uint8_t>(instruction.reads | (behind & ~instruction.writes));
      has_changed |= live != instruction.live;
      instruction.live = live;
    }
  }
  return instructions[code].live;
}

}  // namespace ordeal::runtime
