// The ways through a function, and what registers and slots of its frame may hold before each instruction: step 1 of function_frame.h.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "runtime/decoder.h"
#include "runtime/loops/function_frame.h"

namespace ordeal::runtime {

struct FrameCode {
  ZydisDecodedInstruction what;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/// -1: none of them.
int number_of(ZydisRegister name);
/// A register as a whole, of those that hold addresses.
bool is_whole_register(const ZydisDecodedOperand& operand);
/// … or the lowest byte of it.
bool is_lowest_byte(const ZydisDecodedOperand& operand);
/// Whether the instruction writes all of the operand, whatever happens: masks may leave out parts.
bool is_written_for_sure(const FrameCode& code, const ZydisDecodedOperand& operand);
/// Whether the instruction only clears a register.
bool only_clears(const FrameCode& code);

struct FramePoint {
  std::uintptr_t at = 0, behind = 0;
  FrameCode code;
  FrameState before;
  std::vector<std::uintptr_t> next;
  bool leaves_by_jump = false;  // to another function, as the last thing that it does
  bool is_callee_known = false;
  Callee callee;                // of a call, or of such a jump
  const FunctionFrame* function = nullptr;  // kFunction: it
  Places::Bytes reads, writes, live;
};

class FrameFlow {
 public:
  FrameFlow(std::uintptr_t function, const CodeReader& reader) : function_(function), reader_(reader) {}
  /// False: it is not understood.
  bool follow();

  std::map<std::uintptr_t, FramePoint>& points() { return points_; }
  const std::vector<std::uintptr_t>& catches() const { return catches_; }

  /// Where the operand, which is memory, lies. Nothing: no address that matters enters, or all those that do escape.
  static Value place_of(const ZydisDecodedOperand& memory, const FrameState& state);
  /// What a called function leaves in a register.
  static Value result_of(const FunctionFrame& callee, int name, const Value* before);

 private:
  void give_up() { is_unknown_ = true; }
  void come_to(std::uintptr_t at, const FrameState& state);
  void pass(std::uintptr_t at);
  void pass_jump(FramePoint& point, const FrameState& state);
  void look_at_callee(FramePoint& point, std::uintptr_t target);
  static void write_by_call(const FramePoint& point, const Value* registers, FrameState& behind);
  void pass_call(FramePoint& point, FrameState state);
  void go_on(FramePoint& point, std::uintptr_t to, const FrameState& state);
  void go_on_through_table(FramePoint& point, const FrameState& state);
  void change(const FrameCode& code, FrameState& state);
  void change_by_any(const FrameCode& code, FrameState& state);
  void change_stack(const FrameCode& code, FrameState& state);
  static Value value_of(const ZydisDecodedOperand& operand, const FrameState& state);
  static void assign(const FrameCode& code, const ZydisDecodedOperand& operand, Value value, FrameState& state);

  const std::uintptr_t function_;
  const CodeReader& reader_;
  std::vector<std::uintptr_t> catches_;
  std::map<std::uintptr_t, FramePoint> points_;
  std::vector<std::uintptr_t> to_do_;
  bool is_unknown_ = false;
};

}  // namespace ordeal::runtime
