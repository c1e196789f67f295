#include "runtime/loops/function_frame.h"

#include <algorithm>
#include <memory>

#include "runtime/loops/frame_flow.h"
#include "runtime/loops/liveness.h"

namespace ordeal::runtime {
namespace {

constexpr int kMostDeep = 16;  // functions that call each other
int depth = 0;

class Reads {
 public:
  Reads(std::uintptr_t function, const CodeReader& reader) : function_(function), flow_(function, reader) {}

  FunctionFrame look() {
    if (!flow_.follow()) return {};
    for (auto& [at, point] : flow_.points()) collect(point);
    if (is_unknown_) return {};
    look_backwards();
    for (auto& [at, point] : flow_.points()) add_to_summary(point);
    frame_.writes &= others();
    frame_.reads_first = flow_.points().at(function_).live & others();
    frame_.is_known = true;
    return std::move(frame_);
  }

 private:
  /// Nothing is known of the function.
  void give_up() { is_unknown_ = true; }
  void escape(Value value) {
    if (!value.may_be_address()) return;
    if (value.base == Value::kForeign) {
      for (const Register name : kChangedByCalls) frame_.escaped.set(name);
    } else if (value.base < 0) give_up();
    else frame_.escaped.set(static_cast<std::size_t>(value.base));
  }

  /// All but the own frame.
  static const Places::Bytes& others() {
    static const Places::Bytes bytes = ~Places::Bytes() << Places::kFrameBytes;
    return bytes;
  }

  enum class Access : std::uint8_t { kRead, kWrite, kMayWrite };
  void add(FramePoint& point, Value at, int size, Access access) {
    if (!at.may_be_address()) return;
    if (at.base == Value::kMixed || at.base == Value::kRest) return give_up();
    if (at.base == Value::kForeign) return escape(at);
    for (int i = 0; i < size; ++i) {
      const Places::Place place = Places::of(at.base, at.offset + i);
      if (place.where == Places::Where::kReturnAddress && access != Access::kRead) give_up();
      if (place.where == Places::Where::kFurther) escape(at);
      if (place.where != Places::Where::kByte) continue;
      if (access == Access::kRead) point.reads.set(place.index);
      else frame_.writes.set(place.index);
      if (access == Access::kWrite && place.index != Places::kAnyOfStack) point.writes.set(place.index);
    }
  }
  /// Whoever reads there gets the addresses in those slots.
  void escape_slots(const FramePoint& point, Value at, int size) {
    if (at.base == Value::kFrame) point.before.for_each_slot(at.offset, size, [&](const Slot& slot) { escape(slot.value); });
  }

  void collect(FramePoint& point) {
    const FrameCode& code = point.code;
    const Value* held = point.before.registers;
    if (point.leaves_by_jump) return collect_last_jump(point);
    switch (code.what.mnemonic) {
      case ZYDIS_MNEMONIC_PUSH: add(point, held[kRsp].moved(-8), 8, Access::kWrite); break;
      case ZYDIS_MNEMONIC_POP: return add(point, held[kRsp], 8, Access::kRead);
      case ZYDIS_MNEMONIC_LEAVE: return add(point, held[kRbp], 8, Access::kRead);
      case ZYDIS_MNEMONIC_RET: return collect_return(held);
      case ZYDIS_MNEMONIC_NOP:
      case ZYDIS_MNEMONIC_ENDBR64: return;
      default: break;
    }
    if (code.what.meta.category == ZYDIS_CATEGORY_CALL) return collect_call(point);
    for (int i = 0; i < code.what.operand_count; ++i) {
      const ZydisDecodedOperand& operand = code.operands[i];
      if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) collect_register(point, operand);
      const bool is_push = operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && code.what.mnemonic == ZYDIS_MNEMONIC_PUSH;
      if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && !is_push) collect_memory(point, operand);
    }
  }

  static bool is_immediate(const ZydisDecodedOperand& operand) { return operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE; }
  static bool only_compares(const FrameCode& code) { return code.what.mnemonic == ZYDIS_MNEMONIC_CMP || code.what.mnemonic == ZYDIS_MNEMONIC_TEST || only_clears(code); }
  /// Whether the flow follows the value that the instruction moves, from that operand.
  static bool is_followed(const FramePoint& point, const ZydisDecodedOperand& from) {
    const FrameCode& code = point.code;
    if (code.what.mnemonic == ZYDIS_MNEMONIC_PUSH) return from.size == 64;
    if (code.what.mnemonic != ZYDIS_MNEMONIC_MOV || from.size != 64) return false;
    const ZydisDecodedOperand& to = code.operands[0];
    return is_whole_register(to) || (to.type == ZYDIS_OPERAND_TYPE_MEMORY && FrameFlow::place_of(to, point.before).is_in_frame());
  }

  void collect_register(FramePoint& point, const ZydisDecodedOperand& operand) {
    const int number = number_of(operand.reg.value);
    const FrameCode& code = point.code;
    if (number < 0 || (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) == 0 || only_compares(code)) return;
    if (operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && code.what.mnemonic == ZYDIS_MNEMONIC_PUSH) return;  // the stack pointer
    if (point.before.registers[number].base == Value::kRest && is_lowest_byte(operand)) return;
    const bool is_moved = (code.what.mnemonic == ZYDIS_MNEMONIC_ADD || code.what.mnemonic == ZYDIS_MNEMONIC_SUB) && is_immediate(code.operands[1]) && operand.size == 64;
    if (!is_moved && !(operand.size == 64 && is_followed(point, operand))) escape(point.before.registers[number]);
  }

  void collect_memory(FramePoint& point, const ZydisDecodedOperand& operand) {
    const FrameCode& code = point.code;
    const int base = number_of(operand.mem.base), index = number_of(operand.mem.index);
    const Value place = FrameFlow::place_of(operand, point.before);
    if (!place.may_be_address()) {  // an index, or a register that is not one as a whole
      if (base >= 0) escape(point.before.registers[base]);
      if (index >= 0) escape(point.before.registers[index]);
      return;
    }
    if (operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN) {
      if (!is_whole_register(code.operands[0])) escape(place);
      return;
    }
    if (operand.mem.type != ZYDIS_MEMOP_TYPE_MEM || operand.size == 0 || operand.size % 8 != 0 || place.base == Value::kMixed) return give_up();
    const int size = operand.size / 8;
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) {
      add(point, place, size, Access::kRead);
      if (!is_followed(point, operand) && !only_compares(code)) escape_slots(point, place, size);
    }
    if (operand.actions == ZYDIS_OPERAND_ACTION_WRITE && is_written_for_sure(code, operand)) add(point, place, size, Access::kWrite);
    else if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) add(point, place, size, Access::kMayWrite);
  }

  // --- calls ---------------------------------------------------------------------------------------------------------------------

  void collect_call(FramePoint& point) {
    const Value* held = point.before.registers;
    if (point.function != nullptr) return collect_function(point);
    switch (point.callee.kind) {
      case Callee::Kind::kAccess: return;
      case Callee::Kind::kOperation: return collect_operation(point);
      case Callee::Kind::kEnd: break;
      default:  // it may read anything as an argument on the stack
        read_arguments_on_stack(point);
    }
    if (point.code.operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY) collect_memory(point, point.code.operands[0]);
    for (const Register name : kChangedByCalls) escape(held[name]);
  }

  /// Nobody knows how many there are.
  void read_arguments_on_stack(FramePoint& point) {
    point.reads |= ~others();
    for (const Slot& slot : point.before.slots) escape(slot.value);
  }

  void collect_operation(FramePoint& point) {
    const Value* held = point.before.registers;
    const int size = point.callee.size_at(held);
    for (int name = 0; name < kRegisters; ++name) {
      if ((point.callee.pointers >> name & 1) != 0) {
        add(point, held[name], size, Access::kRead);
        add(point, held[name], size, Access::kMayWrite);
        escape_slots(point, held[name], size);
      } else if ((point.callee.values >> name & 1) != 0) {
        escape(held[name]);
      }
    }
    if (size > 8) add(point, held[kRsp], 8, Access::kRead);  // the last of its arguments
  }

  void collect_function(FramePoint& point) {
    const FunctionFrame& callee = *point.function;
    const Value* held = point.before.registers;
    for (const Register name : kChangedByCalls)
      if (callee.escaped[name]) escape(held[name]);
    if (callee.reads[Places::kAnyOfStack]) read_arguments_on_stack(point);
    for (int i = Places::kFrameBytes; i < static_cast<int>(callee.reads.size()); ++i) {
      const auto byte = static_cast<std::size_t>(i);
      if (!callee.reads[byte] && !callee.writes[byte]) continue;
      const Value place = Places::in_caller(i, held);
      if (place.base == Value::kMixed) give_up();
      if (callee.reads_first[byte]) add(point, place, 1, Access::kRead);
      if (callee.writes[byte]) add(point, place, 1, Access::kMayWrite);
      if (callee.reads[byte]) escape_slots(point, place, 1);
      // What the callee reads of the caller's caller may be an address, too: its slots are not known here, but there (reads).
      if (callee.reads[byte]) add_to_reads(place);
    }
  }
  void add_to_reads(Value place) {
    if (place.base < 0 && place.base != Value::kFrame) return;
    const Places::Place found = Places::of(place.base, place.offset);
    if (found.where == Places::Where::kByte) frame_.reads.set(found.index);
  }

  /// The function that it goes on to gets the caller's arguments.
  void collect_last_jump(FramePoint& point) {
    if (point.callee.kind == Callee::Kind::kOperation) collect_operation(point);
    else if (point.callee.kind != Callee::Kind::kAccess) {
      for (const Register name : kChangedByCalls) escape(point.before.registers[name]);
      point.reads.set(Places::kAnyOfStack);
    }
    if (point.callee.kind != Callee::Kind::kEnd) collect_return(FrameState().registers);  // what it returns is no address, or has escaped
  }

  void collect_return(const Value* registers) {
    for (const Register name : kChangedByCalls) {
      const Value value = registers[name];
      if ((name == kRax || name == kRdx) && value.base == Value::kFrame && !value.is_in_frame()) give_up();  // an argument on the stack
      if (frame_.returns) frame_.results[name].join(value);
      else frame_.results[name] = value;
    }
    frame_.returns = true;
  }

  // --- backwards -------------------------------------------------------------------------------------------------------------------

  void look_backwards() {
    auto& points = flow_.points();
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (auto at = points.rbegin(); at != points.rend(); ++at) {
        FramePoint& point = at->second;
        Places::Bytes live;
        for (const std::uintptr_t next : point.next) live |= points.at(next).live;
        live = (live & ~point.writes) | point.reads;
        has_changed |= live != point.live;
        point.live = live;
      }
    }
  }

  void add_to_summary(const FramePoint& point) {
    frame_.reads |= point.reads & others();
    if (point.code.what.meta.category != ZYDIS_CATEGORY_CALL) return;
    const auto behind = flow_.points().find(point.behind);
    if (behind == flow_.points().end()) return;
    FrameAfterCall& call = frame_.calls[point.behind];
    call.live = behind->second.live;
    for (const std::uintptr_t pad : flow_.catches()) call.live |= flow_.points().at(pad).live;
    call.stack = point.before.registers[kRsp].offset;
    call.function = point.callee.function;
    std::copy(std::begin(point.before.registers), std::end(point.before.registers), call.arguments);
  }

  const std::uintptr_t function_;
  FrameFlow flow_;
  FunctionFrame frame_;
  bool is_unknown_ = false;
};

}  // namespace

FunctionFrame FunctionFrame::look_at(std::uintptr_t function, const CodeReader& reader) {
  if (!zydis().is_there || function == 0 || Liveness::function_of(function) != function) return {};
  return Reads(function, reader).look();
}

const FunctionFrame& FunctionFrame::of(std::uintptr_t function, const CodeReader& reader) {
  static std::map<std::uintptr_t, FunctionFrame> known;
  const auto [found, is_new] = known.try_emplace(function);  // of one that is being looked at, and calls itself, nobody knows
  if (!is_new || depth == kMostDeep) return found->second;
  ++depth;
  FunctionFrame frame = look_at(function, reader);
  --depth;
  return found->second = std::move(frame);
}

bool FunctionFrame::add_callee(FrameAfterCall& caller, const Places::Bytes& callee) {
  if (callee[Places::kAnyOfStack]) return false;
  for (int i = Places::kFrameBytes; i < static_cast<int>(callee.size()); ++i) {
    if (!callee[static_cast<std::size_t>(i)]) continue;
    const Value place = Places::in_caller(i, caller.arguments);
    if (!place.may_be_address() || place.base == Value::kForeign) continue;  // (what that may be has escaped)
    if (place.base < 0 && place.base != Value::kFrame) return false;
    const Places::Place found = Places::of(place.base, place.offset);
    if (found.where == Places::Where::kByte) caller.live.set(found.index);
    else if (found.where == Places::Where::kFurther && place.base == Value::kFrame) return false;
  }
  return true;
}

}  // namespace ordeal::runtime
