#include "litmus/code.h"

#include <algorithm>

namespace ordeal::litmus {
namespace {

using Code = Instruction::Code;
using model::MemoryOrder;
using model::RmwFunction;

MemoryOrder translate(Order order) {
  switch (order) {
    case Order::kPlain: return MemoryOrder::kPlain;
    case Order::kRelaxed: return MemoryOrder::kRelaxed;
    case Order::kConsume:
    case Order::kAcquire: return MemoryOrder::kAcquire;
    case Order::kRelease: return MemoryOrder::kRelease;
    case Order::kAcqRel: return MemoryOrder::kAcqRel;
    case Order::kSeqCst: return MemoryOrder::kSeqCst;
  }
  return MemoryOrder::kSeqCst;
}

RmwFunction translate(RmwOp op) {
  switch (op) {
    case RmwOp::kExchange: return RmwFunction::kExchange;
    case RmwOp::kAdd: return RmwFunction::kAdd;
    case RmwOp::kSub: return RmwFunction::kSub;
    case RmwOp::kOr: return RmwFunction::kOr;
    case RmwOp::kAnd: return RmwFunction::kAnd;
    case RmwOp::kXor: return RmwFunction::kXor;
  }
  return RmwFunction::kExchange;
}

class Compiler {
 public:
  Compiler(const Thread& thread, int loop_bound) : thread_(thread), loop_bound_(loop_bound) {
    used_ = code_.registers = static_cast<int>(thread.variables.size());
  }

  ThreadCode run() {
    block(thread_.body);
    emit(Code::kEnd, thread_.position);
    return std::move(code_);
  }

 private:
  struct Loop {
    std::vector<std::size_t> breaks, continues;
  };

  Instruction& emit(Code code, Position position) {
    Instruction instruction;
    instruction.code = code;
    instruction.position = position;
    code_.instructions.push_back(instruction);
    return code_.instructions.back();
  }
  int temporary() {
    code_.registers = std::max(code_.registers, used_ + 1);
    return used_++;
  }
  std::int32_t here() const { return static_cast<std::int32_t>(code_.instructions.size()); }
  std::size_t emit_jump(Code code, Position position, int condition = 0) {
    emit(code, position).b = condition;
    return code_.instructions.size() - 1;
  }
  void land(std::size_t jump) { code_.instructions[jump].target = here(); }
  int constant(Value value, Position position) {
    const int into = temporary();
    Instruction& instruction = emit(Code::kConstant, position);
    instruction.a = into;
    instruction.immediate = value;
    return into;
  }
  void copy(int into, int from, Position position) {
    Instruction& instruction = emit(Code::kCopy, position);
    instruction.a = into;
    instruction.b = from;
  }
  void assign(int variable, int from, Position position) {
    Instruction& instruction = emit(Code::kConvert, position);
    instruction.a = variable;
    instruction.b = from;
    instruction.type = thread_.variables[static_cast<std::size_t>(variable)].type;
  }

  // --- expressions: each leaves its value in the register returned --------------------------------------------------------

  int expression(const Expression& e) {
    using Kind = Expression::Kind;
    switch (e.kind) {
      case Kind::kNumber: return constant(e.number, e.position);
      case Kind::kVariable: {
        // Copied: `r + (r = …)` does not exist here, but a compare-exchange may change the variable later on.
        const int into = temporary();
        copy(into, e.variable, e.position);
        return into;
      }
      case Kind::kLocationAddress: return constant(address_of(e.location), e.position);
      case Kind::kUnary: {
        const int operand = expression(*e.operand), into = temporary();
        Instruction& instruction = emit(Code::kUnary, e.position);
        instruction.unary = e.unary_op;
        instruction.a = into;
        instruction.b = operand;
        return into;
      }
      case Kind::kBinary: return binary(e);
      case Kind::kConditional: return conditional(e);
      case Kind::kLoad: {
        const int address = expression(*e.operand), into = temporary();
        Instruction& instruction = emit(Code::kLoad, e.position);
        instruction.a = into;
        instruction.b = address;
        instruction.order = translate(e.order);
        return into;
      }
      case Kind::kRmw: {
        const int address = expression(*e.operand), operand = expression(*e.second), into = temporary();
        Instruction& instruction = emit(Code::kRmw, e.position);
        instruction.a = into;
        instruction.b = address;
        instruction.c = operand;
        instruction.function = translate(e.rmw_op);
        instruction.order = translate(e.order);
        return into;
      }
      case Kind::kCompareExchange: return compare_exchange(e);
    }
    return 0;
  }

  int binary(const Expression& e) {
    if (e.binary_op == BinaryOp::kLogicalAnd || e.binary_op == BinaryOp::kLogicalOr) return logical(e);
    const int left = expression(*e.operand), right = expression(*e.second), into = temporary();
    Instruction& instruction = emit(Code::kBinary, e.position);
    instruction.binary = e.binary_op;
    instruction.a = into;
    instruction.b = left;
    instruction.c = right;
    return into;
  }

  int truth(int from, Position position) {
    const int zero = constant(0, position), into = temporary();
    Instruction& instruction = emit(Code::kBinary, position);
    instruction.binary = BinaryOp::kNotEqual;
    instruction.a = into;
    instruction.b = from;
    instruction.c = zero;
    return into;
  }

  int logical(const Expression& e) {
    const int into = temporary();
    copy(into, truth(expression(*e.operand), e.position), e.position);
    std::size_t skip;
    if (e.binary_op == BinaryOp::kLogicalAnd) {
      skip = emit_jump(Code::kJumpIfZero, e.position, into);
    } else {
      const std::size_t evaluate_right = emit_jump(Code::kJumpIfZero, e.position, into);
      skip = emit_jump(Code::kJump, e.position);
      land(evaluate_right);
    }
    copy(into, truth(expression(*e.second), e.position), e.position);
    land(skip);
    return into;
  }

  int conditional(const Expression& e) {
    const int into = temporary();
    const std::size_t otherwise = emit_jump(Code::kJumpIfZero, e.position, expression(*e.operand));
    copy(into, expression(*e.second), e.position);
    const std::size_t end = emit_jump(Code::kJump, e.position);
    land(otherwise);
    copy(into, expression(*e.third), e.position);
    land(end);
    return into;
  }

  int compare_exchange(const Expression& e) {
    const int address = expression(*e.operand);
    int expected = e.expected_variable, expected_address = 0;
    if (e.expected_address) {
      expected_address = expression(*e.expected_address);
      expected = temporary();
      Instruction& load = emit(Code::kLoad, e.position);
      load.a = expected;
      load.b = expected_address;
    }
    const int desired = expression(*e.second), into = temporary(), old = temporary();
    Instruction& instruction = emit(Code::kCompareExchange, e.position);
    instruction.a = into;
    instruction.b = address;
    instruction.c = desired;
    instruction.d = expected;
    instruction.e = old;
    instruction.function = RmwFunction::kCompareExchange;
    instruction.order = translate(e.order);
    instruction.failure_order = translate(e.failure_order);
    instruction.is_weak = e.is_weak;
    const std::size_t failed = emit_jump(Code::kJumpIfZero, e.position, into);
    const std::size_t end = emit_jump(Code::kJump, e.position);
    land(failed);
    if (e.expected_address) {
      Instruction& store = emit(Code::kStore, e.position);
      store.b = expected_address;
      store.c = old;
    } else {
      assign(e.expected_variable, old, e.position);
    }
    land(end);
    return into;
  }

  // --- statements --------------------------------------------------------------------------------------------------------

  void block(const Block& statements) {
    for (const Statement& s : statements) {
      const int before = used_;
      statement(s);
      used_ = before;  // its temporaries are free again: each state of a thread has room for all registers
    }
  }

  void statement(const Statement& s) {
    using Kind = Statement::Kind;
    switch (s.kind) {
      case Kind::kAssign: assign(s.variable, expression(*s.expression), s.position); break;
      case Kind::kStore: {
        const int address = expression(*s.address), value = expression(*s.expression);
        Instruction& instruction = emit(Code::kStore, s.position);
        instruction.b = address;
        instruction.c = value;
        instruction.order = translate(s.order);
        break;
      }
      case Kind::kEvaluate:
        if (s.expression) expression(*s.expression);
        break;
      case Kind::kFence:
        if (s.order != Order::kRelaxed && s.order != Order::kPlain) emit(Code::kFence, s.position).order = translate(s.order);
        break;
      case Kind::kIf: {
        const std::size_t otherwise = emit_jump(Code::kJumpIfZero, s.position, expression(*s.expression));
        block(s.body);
        const std::size_t end = emit_jump(Code::kJump, s.position);
        land(otherwise);
        block(s.other);
        land(end);
        break;
      }
      case Kind::kWhile: loop(s, true); break;
      case Kind::kDoWhile: loop(s, false); break;
      case Kind::kBlock: block(s.body); break;
      case Kind::kBreak: loops_.back().breaks.push_back(emit_jump(Code::kJump, s.position)); break;
      case Kind::kContinue: loops_.back().continues.push_back(emit_jump(Code::kJump, s.position)); break;
      case Kind::kReturn: emit(Code::kEnd, s.position); break;
    }
  }

  void loop(const Statement& s, bool test_first) {
    const int turns = temporary();
    copy(turns, constant(loop_bound_, s.position), s.position);
    const std::int32_t top = here();
    std::size_t leave = 0;
    if (test_first && s.expression) leave = emit_jump(Code::kJumpIfZero, s.position, expression(*s.expression));
    count_turn(turns, s.position);
    loops_.emplace_back();
    block(s.body);
    for (const std::size_t jump : loops_.back().continues) land(jump);
    block(s.step);
    if (!test_first) leave = emit_jump(Code::kJumpIfZero, s.position, expression(*s.expression));
    emit(Code::kJump, s.position).target = top;
    if (s.expression) land(leave);
    for (const std::size_t jump : loops_.back().breaks) land(jump);
    loops_.pop_back();
  }

  /// The body runs if `turns` are left; else the execution is cut.
  void count_turn(int turns, Position position) {
    const std::size_t none_left = emit_jump(Code::kJumpIfZero, position, turns);
    const std::size_t go_on = emit_jump(Code::kJump, position);
    land(none_left);
    emit(Code::kBlock, position);
    land(go_on);
    const int one = constant(1, position);
    Instruction& less = emit(Code::kBinary, position);
    less.binary = BinaryOp::kSub;
    less.a = turns;
    less.b = turns;
    less.c = one;
  }

  const Thread& thread_;
  const int loop_bound_;
  ThreadCode code_;
  int used_;  // registers, by variables and statements around this place
  std::vector<Loop> loops_;
};

}  // namespace

ThreadCode compile(const Thread& thread, int loop_bound) { return Compiler(thread, loop_bound).run(); }

Value evaluate(UnaryOp op, Value operand) {
  switch (op) {
    case UnaryOp::kMinus: return static_cast<Value>(0 - static_cast<std::uint64_t>(operand));
    case UnaryOp::kBitNot: return ~operand;
    case UnaryOp::kLogicalNot: return operand == 0;
  }
  return 0;
}

Value evaluate(BinaryOp op, Value left, Value right) {
  const auto a = static_cast<std::uint64_t>(left), b = static_cast<std::uint64_t>(right);
  switch (op) {
    case BinaryOp::kAdd: return static_cast<Value>(a + b);
    case BinaryOp::kSub: return static_cast<Value>(a - b);
    case BinaryOp::kMul: return static_cast<Value>(a * b);
    case BinaryOp::kDiv: return right == 0 ? 0 : right == -1 ? static_cast<Value>(0 - a) : left / right;
    case BinaryOp::kMod: return right == 0 || right == -1 ? 0 : left % right;
    case BinaryOp::kBitAnd: return left & right;
    case BinaryOp::kBitOr: return left | right;
    case BinaryOp::kBitXor: return left ^ right;
    case BinaryOp::kShiftLeft: return static_cast<Value>(a << (b & 63));
    case BinaryOp::kShiftRight: return left >> (b & 63);
    case BinaryOp::kEqual: return left == right;
    case BinaryOp::kNotEqual: return left != right;
    case BinaryOp::kLess: return left < right;
    case BinaryOp::kLessEqual: return left <= right;
    case BinaryOp::kGreater: return left > right;
    case BinaryOp::kGreaterEqual: return left >= right;
    case BinaryOp::kLogicalAnd: return left != 0 && right != 0;
    case BinaryOp::kLogicalOr: return left != 0 || right != 0;
  }
  return 0;
}

}  // namespace ordeal::litmus
