#include "litmus/interpreter.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace ordeal::litmus {

using Code = Instruction::Code;
using engine::Operation;
using engine::OperationKind;
using engine::ThreadId;
using model::EventKind;
using model::number;

Interpreter::Interpreter(const Test& test, int loop_bound) : test_(test) {
  for (const Thread& thread : test.threads) {
    code_.push_back(compile(thread, loop_bound));
    state_size_ = std::max(state_size_, static_cast<std::size_t>(code_.back().registers) + 1);
  }
  state_.resize(code_.size() * state_size_);
  operation_.resize(code_.size());
  is_filled_.resize(code_.size());
  for (std::size_t t = 0; t < code_.size(); ++t) {
    Value* registers = state(ThreadId{static_cast<std::int32_t>(t)}) + 1;
    for (const Variable& variable : test.threads[t].variables) *registers++ = variable.type.convert(variable.initial);
    run_to_operation(ThreadId{static_cast<std::int32_t>(t)});
  }
  initial_ = state_;
}

void Interpreter::begin() {
  state_ = initial_;
  std::fill(is_filled_.begin(), is_filled_.end(), 0);
}

const Operation& Interpreter::next(ThreadId thread) {
  const auto t = static_cast<std::size_t>(number(thread));
  if (is_filled_[t] == 0) {
    const Value* at = state(thread);
    fill(operation_[t], thread, code_[t].instructions[static_cast<std::size_t>(at[0])], at + 1);
    is_filled_[t] = 1;
  }
  return operation_[t];
}

void Interpreter::resume(ThreadId thread, const engine::Result& result) {
  const auto t = static_cast<std::size_t>(number(thread));
  Value* at = state(thread);
  const Instruction& instruction = code_[t].instructions[static_cast<std::size_t>(at[0])];
  if (instruction.code == Code::kLoad || instruction.code == Code::kRmw) at[1 + instruction.a] = result.value;
  if (instruction.code == Code::kCompareExchange) {
    at[1 + instruction.a] = result.succeeded;
    at[1 + instruction.e] = result.value;
  }
  ++at[0];
  run_to_operation(thread);
  is_filled_[t] = 0;
}

void Interpreter::save(ThreadId thread, std::byte* into) { std::memcpy(into, state(thread), state_size_ * sizeof(Value)); }

void Interpreter::restore(ThreadId thread, const std::byte* from) {
  std::memcpy(state(thread), from, state_size_ * sizeof(Value));
  is_filled_[static_cast<std::size_t>(number(thread))] = 0;
}

Value Interpreter::variable_in(const std::byte* checkpoint, int index) {
  Value value;
  std::memcpy(&value, checkpoint + (1 + static_cast<std::size_t>(index)) * sizeof(Value), sizeof value);
  return value;
}

bool Interpreter::has_plain_accesses() const {
  for (const ThreadCode& code : code_)
    for (const Instruction& i : code.instructions)
      if ((i.code == Code::kLoad || i.code == Code::kStore) && i.order == model::MemoryOrder::kPlain) return true;
  return false;
}

std::string Interpreter::describe(const model::ExecutionGraph& graph, model::Slot slot) const {
  const model::Event& event = graph.event(slot);
  const auto& code = code_[static_cast<std::size_t>(number(event.thread))].instructions;
  const std::string location = test_.locations[static_cast<std::size_t>(number(event.location))].name;
  return "P" + std::to_string(number(event.thread)) + (event.kind == EventKind::kWrite ? " writes " : " reads ") + location + " (line " +
         std::to_string(code[event.access.site].position.line) + ")";
}

/// Runs what needs no engine.
void Interpreter::run_to_operation(ThreadId thread) {
  Value* const at = state(thread);
  Value* const registers = at + 1;
  const Instruction* const code = code_[static_cast<std::size_t>(number(thread))].instructions.data();
  for (auto pc = static_cast<std::size_t>(at[0]);; ++pc) {
    const Instruction& i = code[pc];
    switch (i.code) {
      case Code::kConstant: registers[i.a] = i.immediate; break;
      case Code::kCopy: registers[i.a] = registers[i.b]; break;
      case Code::kConvert: registers[i.a] = i.type.convert(registers[i.b]); break;
      case Code::kUnary: registers[i.a] = evaluate(i.unary, registers[i.b]); break;
      case Code::kBinary: registers[i.a] = evaluate(i.binary, registers[i.b], registers[i.c]); break;
      case Code::kJump: pc = static_cast<std::size_t>(i.target) - 1; break;
      case Code::kJumpIfZero:
        if (registers[i.b] == 0) pc = static_cast<std::size_t>(i.target) - 1;
        break;
      default: at[0] = static_cast<Value>(pc); return;
    }
  }
}

void Interpreter::fill(Operation& operation, ThreadId thread, const Instruction& instruction, const Value* registers) {
  operation.cut = engine::Cut::kNothing;
  operation.written = instruction.order;
  operation.access.site = static_cast<std::uint32_t>(state(thread)[0]);
  operation.access.thread = thread;
  operation.access.location = model::kNoLocation;
  operation.access.order = instruction.order;
  operation.access.function = model::RmwFunction::kNone;
  operation.access.is_weak = false;
  operation.access.operand = 0;  // nothing of an earlier operation may be left: operations depend on results only
  operation.access.expected = 0;
  operation.access.failure_order = model::MemoryOrder::kRelaxed;
  operation.access.bits = 32;
  operation.access.is_signed = true;
  switch (instruction.code) {
    case Code::kEnd: operation.kind = OperationKind::kFinish; return;
    case Code::kBlock:
      operation.kind = OperationKind::kBlock;
      operation.cut = engine::Cut::kBound;
      return;
    case Code::kFence:
      operation.kind = OperationKind::kFence;
      operation.access.kind = EventKind::kFence;
      return;
    default: fill_access(operation, thread, instruction, registers);
  }
}

void Interpreter::fill_access(Operation& operation, ThreadId thread, const Instruction& instruction, const Value* registers) {
  model::Access& access = operation.access;
  const Value address = registers[instruction.b];
  const int location = location_at(address);
  if (location < 0 || location >= locations())
    throw RuntimeError(instruction.position, "P" + std::to_string(number(thread)) + " uses " + std::to_string(address) +
                                                 " as an address, but there is no location there");
  const Type& type = test_.locations[static_cast<std::size_t>(location)].type;
  access.location = model::LocationId{location};
  access.bits = static_cast<std::uint8_t>(type.pointers > 0 ? 64 : type.is_bool ? 1 : type.bits);
  access.is_signed = type.is_signed && !type.is_bool;
  access.kind = EventKind::kRead;
  switch (instruction.code) {
    case Code::kLoad: operation.kind = OperationKind::kLoad; break;
    case Code::kStore:
      operation.kind = OperationKind::kStore;
      access.kind = EventKind::kWrite;
      access.operand = type.convert(registers[instruction.c]);
      break;
    case Code::kCompareExchange:
      access.expected = type.convert(registers[instruction.d]);
      access.failure_order = instruction.failure_order;
      access.is_weak = instruction.is_weak;
      [[fallthrough]];
    default:
      operation.kind = OperationKind::kRmw;
      access.function = instruction.function;
      access.operand = type.convert(registers[instruction.c]);
  }
}

}  // namespace ordeal::litmus
