#include "oracle/program.h"

#include <cstdint>
#include <utility>

namespace ordeal::oracle {
namespace {

using litmus::BinaryOp;
using litmus::Block;
using litmus::Expression;
using litmus::Order;
using litmus::Statement;
using litmus::UnaryOp;
using litmus::Value;

Value wrap(std::uint64_t value) { return static_cast<Value>(value); }
std::uint64_t bits(Value value) { return static_cast<std::uint64_t>(value); }

Value divide(Value left, Value right) {
  if (right == 0) return 0;
  if (right == -1) return wrap(-bits(left));  // the least value divided by -1 wraps
  return left / right;
}

Value modulo(Value left, Value right) {
  if (right == 0 || right == -1) return 0;
  return left % right;
}

Value compute(BinaryOp op, Value left, Value right) {
  switch (op) {
    case BinaryOp::kAdd: return wrap(bits(left) + bits(right));
    case BinaryOp::kSub: return wrap(bits(left) - bits(right));
    case BinaryOp::kMul: return wrap(bits(left) * bits(right));
    case BinaryOp::kDiv: return divide(left, right);
    case BinaryOp::kMod: return modulo(left, right);
    case BinaryOp::kBitAnd: return left & right;
    case BinaryOp::kBitOr: return left | right;
    case BinaryOp::kBitXor: return left ^ right;
    case BinaryOp::kShiftLeft: return wrap(bits(left) << (right & 63));
    case BinaryOp::kShiftRight: return left >> (right & 63);
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

/// Thrown where the answers are used up, or the thread is cut.
struct Stop {
  Step step;
};

/// One run of a thread with given answers.
class Run {
 public:
  Run(const litmus::Test& test, int thread, int loop_bound, const std::vector<Answer>& answers)
      : test_(test), thread_(test.threads[thread]), loop_bound_(loop_bound), answers_(answers) {
    for (const auto& variable : thread_.variables) variables_.push_back(variable.initial);
  }

  /// Runs to the step that has no answer yet, and returns it.
  Step run() {
    try {
      execute(thread_.body);
    } catch (const Stop& stop) {
      return stop.step;
    }
    return Step{};  // the end
  }

  std::vector<Value>& variables() { return variables_; }

 private:
  enum class Flow { kNext, kBreak, kContinue, kReturn };

  Answer ask(const Step& step) {
    if (answered_ == answers_.size()) throw Stop{step};
    return answers_[answered_++];
  }

  Step access(Step::Kind kind, Value address, Order order) const {
    const int location = litmus::location_at(address);
    Step step;
    if (location < 0 || location >= static_cast<int>(test_.locations.size())) {
      step.kind = Step::Kind::kBadAccess;
      step.operand = address;
      throw Stop{step};
    }
    step.kind = kind;
    step.location = location;
    step.order = order;
    step.type = test_.locations[location].type;
    return step;
  }

  void store(Value address, Value value, Order order) {
    Step step = access(Step::Kind::kStore, address, order);
    step.operand = value;
    ask(step);
  }

  Value load(Value address, Order order) { return ask(access(Step::Kind::kLoad, address, order)).value; }

  void assign(int variable, Value value) { variables_[variable] = thread_.variables[variable].type.convert(value); }

  Value compare_exchange(const Expression& e) {
    const Value address = evaluate(*e.operand);
    const Value desired = evaluate(*e.second);
    const Value expected_address = e.expected_address ? evaluate(*e.expected_address) : 0;
    const Value expected = e.expected_address ? load(expected_address, Order::kPlain) : variables_[e.expected_variable];
    Step step = access(Step::Kind::kCompareExchange, address, e.order);
    step.failure_order = e.failure_order;
    step.is_weak = e.is_weak;
    step.operand = desired;
    step.expected = expected;
    const Answer answer = ask(step);
    if (answer.value == expected && !answer.fails_spuriously) return 1;
    if (e.expected_address)
      store(expected_address, answer.value, Order::kPlain);
    else
      assign(e.expected_variable, answer.value);
    return 0;
  }

  Value evaluate(const Expression& e) {
    switch (e.kind) {
      case Expression::Kind::kNumber: return e.number;
      case Expression::Kind::kVariable: return variables_[e.variable];
      case Expression::Kind::kLocationAddress: return litmus::address_of(e.location);
      case Expression::Kind::kUnary: {
        const Value value = evaluate(*e.operand);
        if (e.unary_op == UnaryOp::kMinus) return wrap(-bits(value));
        if (e.unary_op == UnaryOp::kBitNot) return ~value;
        return value == 0;
      }
      case Expression::Kind::kBinary: {
        const Value left = evaluate(*e.operand);
        if (e.binary_op == BinaryOp::kLogicalAnd && left == 0) return 0;
        if (e.binary_op == BinaryOp::kLogicalOr && left != 0) return 1;
        return compute(e.binary_op, left, evaluate(*e.second));
      }
      case Expression::Kind::kConditional: return evaluate(evaluate(*e.operand) != 0 ? *e.second : *e.third);
      case Expression::Kind::kLoad: return load(evaluate(*e.operand), e.order);
      case Expression::Kind::kRmw: {
        const Value address = evaluate(*e.operand);
        const Value operand = evaluate(*e.second);
        Step step = access(Step::Kind::kRmw, address, e.order);
        step.rmw_op = e.rmw_op;
        step.operand = operand;
        return ask(step).value;
      }
      case Expression::Kind::kCompareExchange: return compare_exchange(e);
    }
    return 0;
  }

  Flow execute(const Block& block) {
    for (const auto& statement : block) {
      const Flow flow = execute(statement);
      if (flow != Flow::kNext) return flow;
    }
    return Flow::kNext;
  }

  Flow execute(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::kAssign: assign(s.variable, evaluate(*s.expression)); return Flow::kNext;
      case Statement::Kind::kStore: {
        const Value address = evaluate(*s.address);
        const Value value = evaluate(*s.expression);
        store(address, value, s.order);
        return Flow::kNext;
      }
      case Statement::Kind::kEvaluate: evaluate(*s.expression); return Flow::kNext;
      case Statement::Kind::kFence: {
        if (s.order == Order::kRelaxed) return Flow::kNext;  // no effect
        Step step;
        step.kind = Step::Kind::kFence;
        step.order = s.order;
        ask(step);
        return Flow::kNext;
      }
      case Statement::Kind::kIf: return execute(evaluate(*s.expression) != 0 ? s.body : s.other);
      case Statement::Kind::kWhile: return loop(s, /*body_first=*/false);
      case Statement::Kind::kDoWhile: return loop(s, /*body_first=*/true);
      case Statement::Kind::kBlock: return execute(s.body);
      case Statement::Kind::kBreak: return Flow::kBreak;
      case Statement::Kind::kContinue: return Flow::kContinue;
      case Statement::Kind::kReturn: return Flow::kReturn;
    }
    return Flow::kNext;
  }

  Flow loop(const Statement& s, bool body_first) {
    for (int turns = 0;; ++turns) {
      if ((turns > 0 || !body_first) && evaluate(*s.expression) == 0) return Flow::kNext;
      if (turns == loop_bound_) cut();
      const Flow flow = execute(s.body);
      if (flow == Flow::kBreak) return Flow::kNext;
      if (flow == Flow::kReturn) return flow;
      execute(s.step);
    }
  }

  [[noreturn]] static void cut() {
    Step step;
    step.kind = Step::Kind::kCut;
    throw Stop{step};
  }

  const litmus::Test& test_;
  const litmus::Thread& thread_;
  int loop_bound_;
  const std::vector<Answer>& answers_;
  std::size_t answered_ = 0;
  std::vector<Value> variables_;
};

}  // namespace

Value apply(litmus::RmwOp op, Value old, Value operand) {
  switch (op) {
    case litmus::RmwOp::kExchange: return operand;
    case litmus::RmwOp::kAdd: return compute(BinaryOp::kAdd, old, operand);
    case litmus::RmwOp::kSub: return compute(BinaryOp::kSub, old, operand);
    case litmus::RmwOp::kOr: return old | operand;
    case litmus::RmwOp::kAnd: return old & operand;
    case litmus::RmwOp::kXor: return old ^ operand;
  }
  return 0;
}

Program::Program(const litmus::Test& test, int loop_bound) : test_(test), loop_bound_(loop_bound) {
  for (int thread = 0; thread < static_cast<int>(test.threads.size()); ++thread)
    starts_.push_back(make_node(thread, {}));
}

Node* Program::next(Node* node, Answer answer) {
  auto& next = node->next[answer];
  if (!next) {
    std::vector<Answer> answers = node->answers;
    answers.push_back(answer);
    next = make_node(node->thread, std::move(answers));
  }
  return next.get();
}

std::unique_ptr<Node> Program::make_node(int thread, std::vector<Answer> answers) const {
  auto node = std::make_unique<Node>();
  node->thread = thread;
  node->answers = std::move(answers);
  Run run(test_, thread, loop_bound_, node->answers);
  node->step = run.run();
  node->variables = std::move(run.variables());
  return node;
}

}  // namespace ordeal::oracle
