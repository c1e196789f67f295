#include "runtime/loops/code_paths.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <dlfcn.h>

#include "runtime/abi.h"
#include "runtime/code_copies.h"
#include "runtime/decoder.h"
#include "runtime/loops/liveness.h"
#include "runtime/loops/other_stack.h"
#include "runtime/modules.h"
#include "runtime/native_program.h"

// The functions of the runtime that return to the code in a speculation, too.
#define ORDEAL_ACCESS_SIZES(DO, PREFIX) DO(PREFIX##1) DO(PREFIX##2) DO(PREFIX##4) DO(PREFIX##8) DO(PREFIX##16)
#define ORDEAL_ACCESSES(DO)                                                                                                                          \
  ORDEAL_ACCESS_SIZES(DO, __ordeal_read) ORDEAL_ACCESS_SIZES(DO, __ordeal_write) ORDEAL_ACCESS_SIZES(DO, __tsan_read)                                \
  ORDEAL_ACCESS_SIZES(DO, __tsan_write) ORDEAL_ACCESS_SIZES(DO, __tsan_unaligned_read) ORDEAL_ACCESS_SIZES(DO, __tsan_unaligned_write)              \
  ORDEAL_ACCESS_SIZES(DO, __tsan_volatile_read) ORDEAL_ACCESS_SIZES(DO, __tsan_volatile_write) ORDEAL_ACCESS_SIZES(DO, __tsan_read_write)           \
  DO(__tsan_read_range) DO(__tsan_write_range) DO(__tsan_vptr_read) DO(__tsan_vptr_update) DO(__tsan_atomic_signal_fence) DO(sched_yield)
#define ORDEAL_DECLARE(NAME) ORDEAL_ABI void NAME();
namespace accesses {
ORDEAL_ACCESSES(ORDEAL_DECLARE)
ORDEAL_DECLARE(__tsan_func_entry)
ORDEAL_DECLARE(__ordeal_func_entry)
ORDEAL_DECLARE(__tsan_func_exit)
ORDEAL_DECLARE(__ordeal_func_exit)
}  // namespace accesses

namespace ordeal::runtime {
namespace {

constexpr std::size_t kMostInstructions = 3000;  // on the ways from one place

std::uintptr_t address_of(void (*function)()) { return reinterpret_cast<std::uintptr_t>(function); }

bool is_entry(std::uintptr_t code) { return code == address_of(&accesses::__tsan_func_entry) || code == address_of(&accesses::__ordeal_func_entry); }

/// Whether it tells where a function begins or ends.
bool is_border(std::uintptr_t code) { return is_entry(code) || code == address_of(&accesses::__tsan_func_exit) || code == address_of(&accesses::__ordeal_func_exit); }

/// Whether the function of the runtime is only an access, or the border of a function.
bool is_access(std::uintptr_t code) {
#define ORDEAL_ADDRESS(NAME) address_of(&accesses::NAME),
  static const std::uintptr_t known[] = {ORDEAL_ACCESSES(ORDEAL_ADDRESS)};
  return is_border(code) || std::find(std::begin(known), std::end(known), code) != std::end(known);
}

struct Decoded {
  ZydisDecodedInstruction what;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/// Whether the address is in the program or one of its libraries. What follows a call that does not return may be no code at all, and lead anywhere.
bool is_in_module(std::uintptr_t address) {
  dl_find_object found;
  return _dl_find_object(reinterpret_cast<void*>(address), &found) == 0;
}

bool decode(std::uintptr_t code, Decoded& decoded) {
  return ZYAN_SUCCESS(zydis().decode(&zydis().decoder, code_without_breakpoints(code), ZYDIS_MAX_INSTRUCTION_LENGTH, &decoded.what, decoded.operands));
}

/// Where a call or jump leads to: an address in the instruction, or a word that it reads beside the code. 0: nobody knows.
std::uintptr_t target_of(const Decoded& decoded, std::uintptr_t behind) {
  const ZydisDecodedOperand& operand = decoded.operands[0];
  if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand.imm.is_relative != 0) return behind + static_cast<std::uintptr_t>(operand.imm.value.s);
  const bool is_beside = operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.base == ZYDIS_REGISTER_RIP && operand.mem.index == ZYDIS_REGISTER_NONE;
  if (!is_beside || operand.mem.segment == ZYDIS_REGISTER_FS || operand.size != 64) return 0;
  const std::uintptr_t word = behind + static_cast<std::uintptr_t>(operand.mem.disp.value);
  std::uintptr_t target = 0;
  if (is_in_module(word)) std::memcpy(&target, reinterpret_cast<const void*>(word), sizeof target);
  return target;
}

/// Behind the table through which functions of other libraries are called.
std::uintptr_t without_stub(std::uintptr_t code) {
  Decoded decoded;
  for (int i = 0; i < 2 && decode(code, decoded); ++i) {
    if (decoded.what.mnemonic == ZYDIS_MNEMONIC_JMP && decoded.operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY) {
      const std::uintptr_t target = target_of(decoded, code + decoded.what.length);
      return target != 0 ? target : code;
    }
    if (decoded.what.mnemonic != ZYDIS_MNEMONIC_ENDBR64) break;
    code += decoded.what.length;
  }
  return code;
}

/// Of a function of a library; empty: it has none.
std::string_view name_of(std::uintptr_t function) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(function), &info) == 0 || info.dli_sname == nullptr || info.dli_saddr != reinterpret_cast<const void*>(function)) return {};
  return info.dli_sname;
}

/// Functions of the C and C++ libraries that do not return: what they come to is the runtime's business, and ends a speculation. (dladdr looks through all symbols of a library.)
bool is_end_of_all(std::uintptr_t function) {
  static std::map<std::uintptr_t, bool> known;
  const auto [found, is_new] = known.try_emplace(function, false);
  if (!is_new) return found->second;
  const std::string_view name = name_of(function);
  return found->second = name.starts_with("_ZSt") && name.find("__throw_") != std::string_view::npos ? true : name == "_ZSt9terminatev" || name == "__stack_chk_fail";
}

/// Whether the function's frame pointer is one: it begins by making it.
bool has_frame_pointer(std::uintptr_t function) {
  Decoded decoded;
  for (int i = 0; i < 3 && decode(function, decoded); ++i, function += decoded.what.length) {
    const bool is_move = decoded.what.mnemonic == ZYDIS_MNEMONIC_MOV && decoded.operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER && decoded.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
    if (is_move) return decoded.operands[0].reg.value == ZYDIS_REGISTER_RBP && decoded.operands[1].reg.value == ZYDIS_REGISTER_RSP;
  }
  return false;
}

/// … elsewhere than to the stack.
bool writes_memory(const Decoded& decoded, bool has_frame_pointer) {
  for (int i = 0; i < decoded.what.operand_count; ++i) {
    const ZydisDecodedOperand& operand = decoded.operands[i];
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type != ZYDIS_MEMOP_TYPE_MEM || (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) continue;
    if (operand.mem.base != ZYDIS_REGISTER_RSP && !(has_frame_pointer && operand.mem.base == ZYDIS_REGISTER_RBP)) return true;
  }
  return false;
}

/// Calls `visit(decoded, behind, target)` for each instruction of the function; `target`: where a call or jump leads to that leaves it. False: it is not understood, or `visit` has had enough.
template <class Visit>
bool scan(std::uintptr_t code, Visit&& visit) {
  const std::uintptr_t function = Liveness::function_of(code);
  std::set<std::uintptr_t> done;
  std::vector<std::uintptr_t> to_do{code};
  while (!to_do.empty()) {
    const std::uintptr_t at = to_do.back();
    to_do.pop_back();
    if (!done.insert(at).second) continue;
    Decoded decoded;
    if (done.size() > kMostInstructions || function == 0 || !decode(at, decoded)) return false;
    const std::uintptr_t behind = at + decoded.what.length;
    const auto category = decoded.what.meta.category;
    const bool is_jump = category == ZYDIS_CATEGORY_COND_BR || category == ZYDIS_CATEGORY_UNCOND_BR;
    const std::uintptr_t target = is_jump || category == ZYDIS_CATEGORY_CALL ? target_of(decoded, behind) : 0;
    const bool is_inside = is_jump && Liveness::function_of(target) == function;
    if (is_inside) to_do.push_back(target);
    if (!visit(decoded, is_inside || !is_in_module(target) ? 0 : without_stub(target))) return false;
    if (category != ZYDIS_CATEGORY_RET && category != ZYDIS_CATEGORY_UNCOND_BR) to_do.push_back(behind);
  }
  return true;
}

/// The access of the runtime that this is; or that it goes on to by a jump, calling nothing: then it is the program's own part of that (fast_path.cpp). 0: neither.
std::uintptr_t access_of(std::uintptr_t code) {
  if (is_ours(code)) return is_access(code) ? code : 0;
  static std::map<std::uintptr_t, std::uintptr_t> known;
  const auto [found, is_new] = known.try_emplace(code, 0);
  if (!is_new) return found->second;
  std::uintptr_t access = 0;
  const bool is_understood = scan(code, [&](const Decoded& decoded, std::uintptr_t target) {
    if (decoded.what.meta.category == ZYDIS_CATEGORY_UNCOND_BR && target != 0 && is_access(target)) access = target;
    return decoded.what.meta.category != ZYDIS_CATEGORY_CALL;
  });
  return found->second = is_understood ? access : 0;
}

/// Whether the function tells of its accesses, as far as can be told: it does of one, or writes nothing. (For Clang, no_sanitize("thread") leaves a function its __tsan_func_entry, and its atomic operations.)
bool announces_accesses(std::uintptr_t function) {
  static std::map<std::uintptr_t, bool> known;
  const auto [found, is_new] = known.try_emplace(function, true);
  if (!is_new) return found->second;
  const bool has_frame = has_frame_pointer(function);
  bool writes = false;
  const bool is_silent = scan(function, [&](const Decoded& decoded, std::uintptr_t target) {
    writes |= writes_memory(decoded, has_frame);
    const std::uintptr_t access = target != 0 ? access_of(target) : 0;
    return (access == 0 && (target == 0 || !is_ours(target))) || is_border(access);
  });
  return found->second = !is_silent || !writes;
}

struct Code {
  bool is_seen = true;
  bool has_entry = false;  // it calls __tsan_func_entry
  bool is_entry = false;   // … or is the program's own part of that (fast_path.cpp), which goes on to ours by a jump
  bool writes = false;     // elsewhere than to the stack
  bool has_hidden = false; // it comes to code that is not instrumented and not seen
  bool returns = false;
  std::set<std::uintptr_t> operations;  // after the calls of the runtime that it comes to first
  std::set<std::uintptr_t> pointer_calls;  // where those return to
};

std::map<std::uintptr_t, Code> known;         // by where it begins
std::map<std::uintptr_t, bool> instrumented;  // functions
int depth = 0;                                // of calls
constexpr int kMostDepth = 24;

const Code& look_from(std::uintptr_t begin);

/// Whether a call of this function is of code that is seen. `ends`: behind it there is nothing to look at.
bool is_seen_call(std::uintptr_t target, bool is_jump, std::uintptr_t behind, bool& ends, Code& caller) {
  ends = false;
  caller.returns |= is_jump;
  if (!is_in_module(target)) return false;
  target = without_stub(target);
  if (is_ours(target)) {
    (is_jump ? caller.is_entry : caller.has_entry) |= is_entry(target);
    ends = !is_access(target);
    if (ends) caller.operations.insert(behind);
    return true;
  }
  ends = is_end_of_all(target);
  if (ends) return true;
  const Code& callee = look_from(target);
  caller.has_entry |= callee.is_entry && !is_jump;
  const bool writes_unseen = callee.writes && !(callee.has_entry && announces_accesses(target));
  const bool is_seen = callee.is_seen && !writes_unseen;
  caller.has_hidden |= callee.has_entry ? callee.has_hidden || writes_unseen : !is_seen;
  if (callee.has_entry) caller.pointer_calls.insert(callee.pointer_calls.begin(), callee.pointer_calls.end());
  caller.operations.insert(callee.operations.begin(), callee.operations.end());
  return is_seen;
}

/// Where a jump through a table leads to: the table, whose address was taken just before, has distances from itself. What is behind its end, and happens to lie in the
/// function, does no harm. False: it is not a table as compilers make it.
bool add_table(std::uintptr_t table, std::uintptr_t function, std::vector<std::uintptr_t>& to_do) {
  constexpr int kMost = 256;
  int count = 0;
  for (; is_in_module(table) && count < kMost; ++count) {
    std::int32_t distance = 0;
    std::memcpy(&distance, reinterpret_cast<const void*>(table + sizeof distance * static_cast<std::size_t>(count)), sizeof distance);
    const std::uintptr_t target = table + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(distance));
    if (Liveness::function_of(target) != function) break;
    to_do.push_back(target);
  }
  return count > 1;
}

/// An address beside the code, if that is what the instruction computes.
std::uintptr_t computed_address(const Decoded& decoded, std::uintptr_t behind) {
  if (decoded.what.mnemonic != ZYDIS_MNEMONIC_LEA || decoded.operands[1].mem.base != ZYDIS_REGISTER_RIP) return 0;
  return behind + static_cast<std::uintptr_t>(decoded.operands[1].mem.disp.value);
}

void follow(std::uintptr_t begin, Code& code) {
  const std::uintptr_t function = Liveness::function_of(begin);
  const bool has_frame = has_frame_pointer(function);
  std::uintptr_t table = 0, table_at = 0;  // the last address that was computed, and where
  std::set<std::uintptr_t> done;
  std::vector<std::uintptr_t> to_do{begin};
  while (!to_do.empty()) {
    const std::uintptr_t at = to_do.back();
    to_do.pop_back();
    if (!done.insert(at).second) continue;
    Decoded decoded;
    if (done.size() > kMostInstructions || function == 0 || !decode(at, decoded)) {
      code.is_seen = false;
      return;
    }
    const std::uintptr_t behind = at + decoded.what.length;
    if (const std::uintptr_t address = computed_address(decoded, behind); address != 0) table = address, table_at = at;
    code.writes |= writes_memory(decoded, has_frame);
    switch (decoded.what.meta.category) {
      case ZYDIS_CATEGORY_RET: code.returns = true; continue;
      case ZYDIS_CATEGORY_COND_BR:
        if (Liveness::function_of(target_of(decoded, behind)) == function) to_do.push_back(target_of(decoded, behind));
        else code.is_seen = false;
        break;
      case ZYDIS_CATEGORY_UNCOND_BR: {
        const std::uintptr_t target = target_of(decoded, behind);
        const bool is_inside = target != 0 && decoded.operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && Liveness::function_of(target) == function;
        bool ends = false;
        if (is_inside) to_do.push_back(target);
        else if (target == 0) code.is_seen &= at - table_at < 64 && add_table(table, function, to_do);
        else code.is_seen &= is_seen_call(target, true, behind, ends, code);  // the last thing that the function does
        continue;
      }
      case ZYDIS_CATEGORY_CALL: {
        const std::uintptr_t target = target_of(decoded, behind);
        bool ends = false;
        if (!is_in_module(target)) code.pointer_calls.insert(behind);
        code.is_seen &= is_seen_call(target, false, behind, ends, code);
        if (ends) continue;
        break;
      }
      case ZYDIS_CATEGORY_SYSCALL:
      case ZYDIS_CATEGORY_INTERRUPT:
        code.is_seen = false;
        code.has_hidden = true;
        break;
      default: break;
    }
    if (decoded.what.mnemonic != ZYDIS_MNEMONIC_UD2 && decoded.what.mnemonic != ZYDIS_MNEMONIC_HLT) to_do.push_back(behind);
  }
}

/// Of a function that is being looked at, and calls itself, nobody knows.
const Code& look_from(std::uintptr_t begin) {
  const auto [found, is_new] = known.try_emplace(begin, Code{.is_seen = false, .has_entry = true, .operations = {}});
  if (!is_new || depth == kMostDepth) return found->second;
  Code code;
  ++depth;
  follow(begin, code);
  --depth;
  return found->second = code;
}

/// Its first call is that of __tsan_func_entry.
bool is_instrumented(std::uintptr_t function) {
  const auto found = instrumented.find(function);
  if (found != instrumented.end()) return found->second;
  bool is = false;
  std::uintptr_t at = function;
  Decoded decoded;
  for (int i = 0; i < 64 && decode(at, decoded); ++i, at += decoded.what.length) {
    if (decoded.what.meta.category == ZYDIS_CATEGORY_COND_BR || decoded.what.meta.category == ZYDIS_CATEGORY_UNCOND_BR || decoded.what.meta.category == ZYDIS_CATEGORY_RET) break;
    if (decoded.what.meta.category != ZYDIS_CATEGORY_CALL) continue;
    Code code;
    bool ends = false;
    is = is_seen_call(target_of(decoded, at + decoded.what.length), false, 0, ends, code) && code.has_entry;
    break;
  }
  return instrumented[function] = is;
}

/// Whether the instruction before may be a call by pointer. (Where instructions begin cannot be told from behind: it may also be something else.)
bool may_be_behind_pointer_call(std::uintptr_t code) {
  constexpr std::uintptr_t kShortest = 2, kLongest = 9;
  for (std::uintptr_t length = kShortest; length <= kLongest; ++length) {
    Decoded decoded;
    if (!is_in_module(code - length) || !decode(code - length, decoded) || decoded.what.length != length) continue;
    if (decoded.what.meta.category == ZYDIS_CATEGORY_CALL && decoded.operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE) return true;
  }
  return false;
}

struct Answer {
  bool are_seen = false, have_hidden = false, return_from_function = false, is_behind_pointer_call = false;
  std::set<std::uintptr_t> operations, pointer_calls;
};
std::map<std::uintptr_t, Answer> answers;
std::uintptr_t asked_about = 0;
alignas(64) unsigned char own_stack[std::size_t{128} << 10];  // it goes deep, and must leave nothing on the program's

void look() {
  const std::uintptr_t function = zydis().is_there ? Liveness::function_of(asked_about) : 0;
  Answer& answer = answers[asked_about];
  if (function == 0) return;
  answer.is_behind_pointer_call = may_be_behind_pointer_call(asked_about);
  const Code& code = look_from(asked_about);
  const bool is_silent = code.writes && is_instrumented(function) && !announces_accesses(function);
  answer.are_seen = is_instrumented(function) && code.is_seen && !is_silent;
  answer.have_hidden = code.has_hidden || is_silent;
  answer.return_from_function = code.returns;
  answer.operations = code.operations;
  answer.pointer_calls = code.pointer_calls;
}

}  // namespace

namespace {

const Answer& answer_of(std::uintptr_t site) {
  const auto found = answers.find(site);
  if (found != answers.end()) return found->second;
  Thread* thread = std::exchange(NativeProgram::current, nullptr);  // what is called here is not the program's
  asked_about = site;
  ordeal_call_on_stack(&look, std::end(own_stack));
  NativeProgram::current = thread;
  return answers[site];
}

bool returns_twice(std::string_view name) {
  static constexpr std::string_view kNames[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "getcontext", "swapcontext", "vfork", "__vfork", "savectx"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

/// An atomic operation: what its arguments are. (In rdi is the object, behind it come values, of 16 bytes in two registers each.)
Callee operation_of(std::string_view name) {
  const auto bit = [](Register one) { return static_cast<std::uint16_t>(1U << one); };
  if (name == "__ordeal_compare_exchange_weak")  // the object, what is expected and what is stored, by address; the size
    return {Callee::Kind::kOperation, 0, 16, static_cast<std::uint16_t>(bit(kRdi) | bit(kRsi) | bit(kRdx)), 0, kRcx};
  constexpr std::string_view kPrefix = "__tsan_atomic";
  if (!name.starts_with(kPrefix)) return {};
  name.remove_prefix(kPrefix.size());
  int bits = 0;
  for (; !name.empty() && name[0] >= '0' && name[0] <= '9'; name.remove_prefix(1)) bits = bits * 10 + (name[0] - '0');
  Callee operation{Callee::Kind::kOperation};
  operation.size = static_cast<std::uint8_t>(bits == 0 ? 16 : bits / 8);
  operation.pointers = bit(kRdi);
  const std::uint16_t first = bit(kRsi), second = bit(kRdx), behind = static_cast<std::uint16_t>(bit(kRcx) | bit(kR8));
  if (name == "_load" || name == "_thread_fence" || name == "_signal_fence") operation.values = 0;
  else if (name == "_compare_exchange_strong" || name == "_compare_exchange_weak") operation.pointers |= first, operation.values = second;
  else if (name == "_compare_exchange_val") operation.values = first | second;
  else if (name == "_store" || name == "_exchange" || name.starts_with("_fetch_")) operation.values = first;
  else return {};
  if (bits > 64 && operation.values != 0) operation.values |= static_cast<std::uint16_t>(second | behind);
  return operation;
}

}  // namespace

namespace {

Callee look_at_callee(std::uintptr_t code) {
  if (!is_in_module(code)) return {};
  code = without_stub(code);
  if (!is_in_module(code)) return {};
  if (access_of(code) != 0) return {Callee::Kind::kAccess};
  const std::string_view name = name_of(code);
  if (is_end_of_all(code) || name == "__assert_fail" || name == "abort") return {Callee::Kind::kEnd};
  if (returns_twice(name)) return {Callee::Kind::kReturnsTwice};
  if (is_ours(code)) return operation_of(name);
  return {Callee::Kind::kFunction, code};
}

}  // namespace

Callee CodePaths::callee_at(std::uintptr_t code) {
  static std::map<std::uintptr_t, Callee> known;
  const auto [found, is_new] = known.try_emplace(code);
  return is_new ? found->second = look_at_callee(code) : found->second;
}
bool CodePaths::is_instrumented(std::uintptr_t function) { return runtime::is_instrumented(function); }
bool CodePaths::are_seen(std::uintptr_t site) { return answer_of(site).are_seen; }
bool CodePaths::may_lead_to(std::uintptr_t site, std::uintptr_t next) {
  const Answer& answer = answer_of(site);
  return answer.are_seen && (answer.return_from_function || answer.operations.contains(next));
}
bool CodePaths::have_hidden(std::uintptr_t site) {
  const Answer& answer = answer_of(site);
  if (answer.have_hidden) return true;
  if (answer.pointer_calls.empty() && !answer.is_behind_pointer_call) plain_[slot_of(site)] = site;
  return false;
}
const std::set<std::uintptr_t>& CodePaths::pointer_calls(std::uintptr_t site) { return answer_of(site).pointer_calls; }
const std::set<std::uintptr_t>* CodePaths::next_operations(std::uintptr_t site) {
  const Answer& answer = answer_of(site);
  return answer.have_hidden ? nullptr : &answer.operations;
}

}  // namespace ordeal::runtime
