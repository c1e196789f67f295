#include "runtime/loops/stack_liveness.h"

#include <algorithm>
#include <bitset>
#include <limits>
#include <map>

#include "runtime/code_copies.h"
#include "runtime/decoder.h"
#include "runtime/loops/liveness.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kMostPoints = 4000;
constexpr int kMostBytes = 1024;  // of a frame; beyond, all matter

/// Offsets count from the stack pointer at the function's beginning: the frame's are negative.
using Bytes = std::bitset<kMostBytes>;

/// What a register may hold: an address in the frame, something else, or one of several.
constexpr int kOther = std::numeric_limits<int>::max(), kMixed = kOther - 1;
bool is_address(int value) { return value != kOther; }

enum Register : std::uint8_t { kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi, kR8, kR9, kR10, kR11, kRegisters = 16 };
constexpr Register kChangedByCalls[] = {kRax, kRcx, kRdx, kRsi, kRdi, kR8, kR9, kR10, kR11};
constexpr Register kArguments[] = {kRdi, kRsi, kRdx, kRcx, kR8, kR9};

/// -1: none of them.
int number_of(ZydisRegister name) {
  const ZydisRegister whole = zydis().enclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
  return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15 ? whole - ZYDIS_REGISTER_RAX : -1;
}

struct Registers {
  int values[kRegisters];
  /// Whether this is news.
  bool join(const Registers& other) {
    bool has_changed = false;
    for (int i = 0; i < kRegisters; ++i) {
      if (values[i] == other.values[i] || values[i] == kMixed) continue;
      values[i] = kMixed;
      has_changed = true;
    }
    return has_changed;
  }
};

struct FrameCode {
  ZydisDecodedInstruction what;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

struct Point {
  FrameCode code;
  Registers before;
  std::vector<std::uintptr_t> next;
  Bytes reads, writes, live;
};

/// One function.
class Frame {
 public:
  Frame(std::uintptr_t function, const std::vector<std::uintptr_t>& catches, Callee (*callee_at)(std::uintptr_t)) : function_(function), catches_(catches), callee_at_(callee_at) {}

  DeadBytes dead_after(std::uintptr_t site) {
    Registers first;
    std::fill(std::begin(first.values), std::end(first.values), kOther);
    first.values[kRsp] = 0;
    come_to(function_, first);
    while (!to_do_.empty() && !is_unknown_) {
      const std::uintptr_t at = to_do_.back();
      to_do_.pop_back();
      pass(at);
    }
    for (auto at = points_.begin(); at != points_.end() && !is_unknown_; ++at) collect(at->first, at->second);
    const auto found = points_.find(site);
    if (is_unknown_ || found == points_.end() || !is_in_frame(found->second.before.values[kRsp])) return {};
    look_backwards();
    Bytes live = found->second.live;
    for (const std::uintptr_t pad : catches_) live |= points_[pad].live;
    return ranges_of(live, found->second.before.values[kRsp]);
  }

 private:
  /// All bytes matter.
  void give_up() { is_unknown_ = true; }
  static bool is_in_frame(int offset) { return offset >= -kMostBytes && offset <= 0; }
  static std::size_t index_of(int offset) { return static_cast<std::size_t>(offset + kMostBytes); }

  static DeadBytes ranges_of(const Bytes& live, int stack) {
    DeadBytes dead;
    for (int at = stack; at < 0; ++at) {
      if (live[index_of(at)]) continue;
      if (!dead.ranges.empty() && dead.ranges.back().end == at - stack) ++dead.ranges.back().end;
      else dead.ranges.push_back({at - stack, at - stack + 1});
    }
    return dead;
  }

  void come_to(std::uintptr_t at, const Registers& registers) {
    const auto [found, is_new] = points_.try_emplace(at);
    Point& point = found->second;
    if (is_new) {
      if (points_.size() > kMostPoints || Liveness::function_of(at) != function_) return give_up();
      FrameCode& code = point.code;
      if (!ZYAN_SUCCESS(zydis().decode(&zydis().decoder, code_without_breakpoints(at), ZYDIS_MAX_INSTRUCTION_LENGTH, &code.what, code.operands))) return give_up();
      point.before = registers;
    } else if (!point.before.join(registers)) {
      return;
    }
    to_do_.push_back(at);
  }

  // --- forwards: what registers hold --------------------------------------------------------------------------------------------

  void pass(std::uintptr_t at) {
    Point& point = points_.at(at);
    const ZydisDecodedInstruction& what = point.code.what;
    const std::uintptr_t behind = at + what.length;
    Registers registers = point.before;
    if (!is_in_frame(registers.values[kRsp])) return give_up();
    point.next.clear();
    const auto go_on = [&](std::uintptr_t to) {
      point.next.push_back(to);
      come_to(to, registers);
    };
    switch (what.meta.category) {
      case ZYDIS_CATEGORY_RET:
        if (registers.values[kRsp] != 0) give_up();
        return;
      case ZYDIS_CATEGORY_UNCOND_BR:
        if (const std::uintptr_t target = target_of(point.code, behind); target != 0 && Liveness::function_of(target) == function_) go_on(target);
        else if (target == 0 || registers.values[kRsp] != 0) give_up();  // not the last thing that the function does
        return;
      case ZYDIS_CATEGORY_COND_BR:
        go_on(target_of(point.code, behind));
        return go_on(behind);
      case ZYDIS_CATEGORY_CALL:
        for (const Register changed : kChangedByCalls) registers.values[changed] = kOther;
        for (const std::uintptr_t pad : catches_) go_on(pad);
        if (callee_of(at, point.code) != Callee::kEnd && Liveness::function_of(behind) == function_) go_on(behind);  // otherwise it does not return
        return;
      case ZYDIS_CATEGORY_SYSCALL:
      case ZYDIS_CATEGORY_INTERRUPT: return give_up();
      default: break;
    }
    if (what.mnemonic == ZYDIS_MNEMONIC_UD2 || what.mnemonic == ZYDIS_MNEMONIC_HLT) return;
    change(point.code, registers);
    go_on(behind);
  }

  /// 0: nobody knows.
  static std::uintptr_t target_of(const FrameCode& code, std::uintptr_t behind) {
    const ZydisDecodedOperand& operand = code.operands[0];
    if (operand.type != ZYDIS_OPERAND_TYPE_IMMEDIATE || operand.imm.is_relative == 0) return 0;
    return behind + static_cast<std::uintptr_t>(operand.imm.value.s);
  }

  Callee callee_of(std::uintptr_t at, const FrameCode& call) const {
    const std::uintptr_t target = target_of(call, at + call.what.length);
    return target == 0 ? Callee::kOther : callee_at_(target);
  }

  static bool is_whole_register(const ZydisDecodedOperand& operand) { return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && operand.size == 64 && number_of(operand.reg.value) >= 0; }

  void change(const FrameCode& code, Registers& registers) {
    const ZydisDecodedOperand &first = code.operands[0], &second = code.operands[1];
    int* const values = registers.values;
    switch (code.what.mnemonic) {
      case ZYDIS_MNEMONIC_PUSH:
        if (first.type == ZYDIS_OPERAND_TYPE_REGISTER && (number_of(first.reg.value) < 0 || is_address(values[number_of(first.reg.value)]))) return give_up();
        values[kRsp] -= 8;
        return;
      case ZYDIS_MNEMONIC_POP:
        if (!is_whole_register(first)) return give_up();
        values[kRsp] += 8;
        values[number_of(first.reg.value)] = kOther;
        return;
      case ZYDIS_MNEMONIC_LEAVE:
        if (!is_in_frame(values[kRbp])) return give_up();
        values[kRsp] = values[kRbp] + 8;
        values[kRbp] = kOther;
        return;
      case ZYDIS_MNEMONIC_MOV:
        if (!is_whole_register(first) || !is_whole_register(second)) break;
        values[number_of(first.reg.value)] = values[number_of(second.reg.value)];
        return;
      case ZYDIS_MNEMONIC_LEA: return change_by_lea(first, second, registers);
      case ZYDIS_MNEMONIC_ADD:
      case ZYDIS_MNEMONIC_SUB:
        if (!is_whole_register(first) || second.type != ZYDIS_OPERAND_TYPE_IMMEDIATE || !is_address(values[number_of(first.reg.value)])) break;
        if (values[number_of(first.reg.value)] == kMixed) return give_up();
        values[number_of(first.reg.value)] += static_cast<int>(second.imm.value.s) * (code.what.mnemonic == ZYDIS_MNEMONIC_ADD ? 1 : -1);
        return;
      default: break;
    }
    change_by_any(code, registers);
  }

  void change_by_lea(const ZydisDecodedOperand& to, const ZydisDecodedOperand& from, Registers& registers) {
    const int base = number_of(from.mem.base), index = number_of(from.mem.index);
    if (index >= 0 && is_address(registers.values[index])) return give_up();
    const int value = base < 0 ? kOther : registers.values[base];
    if (value == kMixed || (is_address(value) && (index >= 0 || !is_whole_register(to)))) return give_up();
    registers.values[number_of(to.reg.value)] = is_address(value) ? value + static_cast<int>(from.mem.disp.value) : kOther;
  }

  /// An address that is computed with may go anywhere.
  void change_by_any(const FrameCode& code, Registers& registers) {
    const ZydisDecodedOperand &one = code.operands[0], &other = code.operands[1];
    const bool clears = (code.what.mnemonic == ZYDIS_MNEMONIC_XOR || code.what.mnemonic == ZYDIS_MNEMONIC_SUB) && one.type == ZYDIS_OPERAND_TYPE_REGISTER &&
                        other.type == ZYDIS_OPERAND_TYPE_REGISTER && one.reg.value == other.reg.value && one.size >= 32;
    const bool only_compares = code.what.mnemonic == ZYDIS_MNEMONIC_CMP || code.what.mnemonic == ZYDIS_MNEMONIC_TEST || clears;
    for (int i = 0; i < code.what.operand_count; ++i) {
      const ZydisDecodedOperand& operand = code.operands[i];
      const int number = operand.type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(operand.reg.value) : -1;
      if (number < 0 || only_compares) continue;
      const bool is_whole_write = operand.actions == ZYDIS_OPERAND_ACTION_WRITE && operand.size >= 32;
      if (is_address(registers.values[number]) && !is_whole_write) return give_up();
    }
    for (int i = 0; i < code.what.operand_count; ++i) {
      const ZydisDecodedOperand& operand = code.operands[i];
      const int number = operand.type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(operand.reg.value) : -1;
      if (number >= 0 && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) registers.values[number] = kOther;
    }
  }

  // --- backwards: what is read ----------------------------------------------------------------------------------------------------

  static void add(Bytes& bytes, int offset, int size) {
    for (int at = std::max(offset, -kMostBytes); at < std::min(offset + size, 0); ++at) bytes.set(index_of(at));
  }

  void collect(std::uintptr_t at, Point& point) {
    const FrameCode& code = point.code;
    const int* values = point.before.values;
    switch (code.what.mnemonic) {
      case ZYDIS_MNEMONIC_PUSH: add(point.writes, values[kRsp] - 8, 8); break;
      case ZYDIS_MNEMONIC_POP: add(point.reads, values[kRsp], 8); break;
      case ZYDIS_MNEMONIC_LEAVE: add(point.reads, values[kRbp], 8); return;
      case ZYDIS_MNEMONIC_RET: return;
      case ZYDIS_MNEMONIC_CALL: return collect_call(at, point);
      default: break;
    }
    for (int i = 0; i < code.what.operand_count; ++i)
      if (code.operands[i].visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN || code.operands[i].mem.base != ZYDIS_REGISTER_RSP) collect_access(code.operands[i], values, point);
  }

  void collect_access(const ZydisDecodedOperand& operand, const int* values, Point& point) {
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN) return;
    const int base = number_of(operand.mem.base), index = number_of(operand.mem.index);
    if (index >= 0 && is_address(values[index])) return give_up();
    if (base < 0 || !is_address(values[base])) return;
    const bool is_simple = operand.mem.type == ZYDIS_MEMOP_TYPE_MEM && operand.mem.index == ZYDIS_REGISTER_NONE && operand.size != 0 && operand.size % 8 == 0;
    if (values[base] == kMixed || !is_simple) return give_up();
    const int offset = values[base] + static_cast<int>(operand.mem.disp.value), size = operand.size / 8;
    if (offset < -kMostBytes) return give_up();
    if (operand.actions == ZYDIS_OPERAND_ACTION_WRITE) add(point.writes, offset, size);
    else add(point.reads, offset, size);
  }

  /// An operation reads what its arguments point to; other functions must not get an address, and may read what is handed to them on the stack: anything.
  void collect_call(std::uintptr_t at, Point& point) {
    const Callee callee = callee_of(at, point.code);
    if (callee == Callee::kAccess) return;
    // (Other registers, too: a nested function gets its frame in r10, and a function of the same file may be known to leave some alone.)
    const auto has_address = [&](Register name) { return is_address(point.before.values[name]); };
    if (callee != Callee::kOperation && std::any_of(std::begin(kChangedByCalls), std::end(kChangedByCalls), has_address)) return give_up();
    for (const Register argument : kArguments) {
      const int value = point.before.values[argument];
      if (value == kMixed) return give_up();
      if (is_address(value)) add(point.reads, value, 16);
    }
    if (callee == Callee::kOther) point.reads.set();
  }

  void look_backwards() {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (auto at = points_.rbegin(); at != points_.rend(); ++at) {
        Point& point = at->second;
        Bytes live;
        for (const std::uintptr_t next : point.next) live |= points_.at(next).live;
        live = (live & ~point.writes) | point.reads;
        has_changed |= live != point.live;
        point.live = live;
      }
    }
  }

  const std::uintptr_t function_;
  const std::vector<std::uintptr_t>& catches_;
  Callee (*const callee_at_)(std::uintptr_t);
  std::map<std::uintptr_t, Point> points_;
  std::vector<std::uintptr_t> to_do_;
  bool is_unknown_ = false;
};

}  // namespace

DeadBytes StackLiveness::look_at(std::uintptr_t site, std::uintptr_t function, const std::vector<std::uintptr_t>& catches, Callee (*callee_at)(std::uintptr_t)) {
  if (!zydis().is_there || function == 0) return {};
  return Frame(function, catches, callee_at).dead_after(site);
}

}  // namespace ordeal::runtime
