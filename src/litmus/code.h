// A litmus thread as straight code over registers: what the interpreter runs.
//
// Expressions and control flow are flattened once, so that a thread can stop at any memory operation, inside an expression
// too, and its whole state is a program counter and a row of registers: cheap to save and to put back.
#pragma once

#include <cstdint>
#include <vector>

#include "litmus/ast.h"
#include "model/event.h"

namespace ordeal::litmus {

struct Instruction {
  enum class Code : std::uint8_t {
    kConstant,    // a = immediate
    kCopy,        // a = b
    kConvert,     // a = b as type
    kUnary,       // a = unary b
    kBinary,      // a = b binary c
    kJump,        // to target
    kJumpIfZero,  // if (b == 0) to target
    // What follows stops the thread.
    kLoad,             // a = *b
    kStore,            // *b = c
    kRmw,              // a = old value of *b, changed by function with c
    kCompareExchange,  // a = whether *b was d and became c; e = old value
    kFence,
    kBlock,            // a loop has run as often as it may
    kEnd,
  };
  Code code = Code::kEnd;
  UnaryOp unary = UnaryOp::kMinus;
  BinaryOp binary = BinaryOp::kAdd;
  model::RmwFunction function = model::RmwFunction::kNone;
  model::MemoryOrder order = model::MemoryOrder::kPlain;
  model::MemoryOrder failure_order = model::MemoryOrder::kRelaxed;
  bool is_weak = false;
  std::int32_t a = 0, b = 0, c = 0, d = 0, e = 0;
  std::int32_t target = 0;
  Value immediate = 0;
  Type type;
  Position position;
};

struct ThreadCode {
  std::vector<Instruction> instructions;
  int registers = 0;  // the thread's variables first
};

/// REQUIRES: a parsed test. A loop's body runs at most `loop_bound` times each time the loop is entered.
ThreadCode compile(const Thread& thread, int loop_bound);

Value evaluate(UnaryOp op, Value operand);
Value evaluate(BinaryOp op, Value left, Value right);

}  // namespace ordeal::litmus
