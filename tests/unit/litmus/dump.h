// Writes the tree of a test as text, with everything but positions: for comparing trees and for saying what one should be.
//
//   r0 = load[acq](x)     store[rlx](y, (+ r0 1))     fence[sc]     cas[strong,ar,rlx](x, &r1, 2)
//   if ((== r0 1)) {…} else {…}     while (1) {…} step {…}     do {…} while ((< r0 2))
#pragma once

#include <string>

#include "litmus/ast.h"

namespace ordeal::litmus::testing {

inline std::string dump(Order order) {
  static constexpr const char* kNames[] = {"plain", "rlx", "con", "acq", "rel", "ar", "sc"};
  return kNames[static_cast<std::size_t>(order)];
}

inline std::string dump(const Type& type) {
  std::string text = type.is_volatile ? "volatile " : "";
  if (type.is_atomic) text += "atomic ";
  text += type.is_bool ? "bool" : (type.is_signed ? "i" : "u") + std::to_string(type.bits);
  return text + std::string(static_cast<std::size_t>(type.pointers), '*');
}

class Dumper {
 public:
  Dumper(const Test& test, const Thread& thread) : test_(test), thread_(thread) {}

  std::string dump(const Block& block) const {
    std::string text;
    for (const auto& statement : block) text += (text.empty() ? "" : "; ") + dump(statement);
    return text;
  }

  std::string dump(const Statement& statement) const {
    const auto braced = [this](const Block& block) { return "{" + dump(block) + "}"; };
    switch (statement.kind) {
      case Statement::Kind::kAssign: return variable(statement.variable) + " = " + dump(*statement.expression);
      case Statement::Kind::kStore:
        return "store[" + testing::dump(statement.order) + "](" + dump(*statement.address) + ", " +
               dump(*statement.expression) + ")";
      case Statement::Kind::kEvaluate: return dump(*statement.expression);
      case Statement::Kind::kFence: return "fence[" + testing::dump(statement.order) + "]";
      case Statement::Kind::kIf:
        return "if (" + dump(*statement.expression) + ") " + braced(statement.body) +
               (statement.other.empty() ? "" : " else " + braced(statement.other));
      case Statement::Kind::kWhile:
        return "while (" + dump(*statement.expression) + ") " + braced(statement.body) +
               (statement.step.empty() ? "" : " step " + braced(statement.step));
      case Statement::Kind::kDoWhile:
        return "do " + braced(statement.body) + " while (" + dump(*statement.expression) + ")";
      case Statement::Kind::kBlock: return braced(statement.body);
      case Statement::Kind::kBreak: return "break";
      case Statement::Kind::kContinue: return "continue";
      case Statement::Kind::kReturn: return "return";
    }
    return "?";
  }

  std::string dump(const Expression& expression) const {
    static constexpr const char* kUnary[] = {"-", "~", "!"};
    static constexpr const char* kBinary[] = {"+",  "-",  "*",  "/", "%",  "&", "|",  "^",  "<<",
                                              ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||"};
    static constexpr const char* kRmw[] = {"xchg", "add", "sub", "or", "and", "xor"};
    switch (expression.kind) {
      case Expression::Kind::kNumber: return std::to_string(expression.number);
      case Expression::Kind::kVariable: return variable(expression.variable);
      case Expression::Kind::kLocationAddress:
        return "&" + test_.locations.at(static_cast<std::size_t>(expression.location)).name;
      case Expression::Kind::kUnary:
        return std::string("(") + kUnary[static_cast<int>(expression.unary_op)] + " " + dump(*expression.operand) + ")";
      case Expression::Kind::kBinary:
        return std::string("(") + kBinary[static_cast<int>(expression.binary_op)] + " " + dump(*expression.operand) +
               " " + dump(*expression.second) + ")";
      case Expression::Kind::kConditional:
        return "(? " + dump(*expression.operand) + " " + dump(*expression.second) + " " + dump(*expression.third) + ")";
      case Expression::Kind::kLoad:
        return "load[" + testing::dump(expression.order) + "](" + dump(*expression.operand) + ")";
      case Expression::Kind::kRmw:
        return kRmw[static_cast<int>(expression.rmw_op)] + ("[" + testing::dump(expression.order)) + "](" +
               dump(*expression.operand) + ", " + dump(*expression.second) + ")";
      case Expression::Kind::kCompareExchange:
        return std::string("cas[") + (expression.is_weak ? "weak," : "strong,") + testing::dump(expression.order) +
               "," + testing::dump(expression.failure_order) + "](" + dump(*expression.operand) + ", " +
               (expression.expected_address ? dump(*expression.expected_address)
                                            : "&" + variable(expression.expected_variable)) +
               ", " + dump(*expression.second) + ")";
    }
    return "?";
  }

 private:
  std::string variable(int index) const { return thread_.variables.at(static_cast<std::size_t>(index)).name; }

  const Test& test_;
  const Thread& thread_;
};

inline std::string dump_value(const Test& test, Value value) {
  const int location = location_at(value);
  if (location < 0 || static_cast<std::size_t>(location) >= test.locations.size()) return std::to_string(value);
  return "&" + test.locations[static_cast<std::size_t>(location)].name;
}

inline std::string dump(const Test& test, const Proposition& proposition) {
  static constexpr const char* kNames[] = {"true", "false", "atom", "not", "and", "or", "implies"};
  static constexpr const char* kComparisons[] = {"=", "!=", "<", "<=", ">", ">="};
  if (proposition.kind == Proposition::Kind::kAtom)
    return test.name_of(proposition.left) + kComparisons[static_cast<int>(proposition.comparison)] +
           (proposition.right ? test.name_of(*proposition.right) : dump_value(test, proposition.number));
  std::string text = kNames[static_cast<int>(proposition.kind)];
  if (proposition.operands.empty()) return text;
  for (const auto& operand : proposition.operands) text += " " + dump(test, operand);
  return "(" + text + ")";
}

/// `atomic i32 x = 1; i32 y = 0`.
inline std::string dump_locations(const Test& test) {
  std::string text;
  for (const auto& location : test.locations)
    text += (text.empty() ? "" : "; ") + dump(location.type) + " " + location.name + " = " +
            dump_value(test, location.initial);
  return text;
}

/// `atomic i32* x = &x; i32 r0 = 0`, parameters in parentheses.
inline std::string dump_variables(const Test& test, const Thread& thread) {
  std::string text;
  for (const auto& variable : thread.variables) {
    const std::string one = dump(variable.type) + " " + variable.name + " = " + dump_value(test, variable.initial);
    text += (text.empty() ? "" : "; ") + (variable.is_parameter ? "(" + one + ")" : one);
  }
  return text;
}

inline std::string dump(const Test& test) {
  std::string text = test.name + "\n" + dump_locations(test) + "\n";
  for (const auto& thread : test.threads)
    text += "thread: " + dump_variables(test, thread) + "\n  " + Dumper(test, thread).dump(thread.body) + "\n";
  text += "shown:";
  for (const auto& observable : test.shown) text += " " + test.name_of(observable);
  text += "\nfilter: " + (test.filter ? dump(test, *test.filter) : "none") + "\n";
  static constexpr const char* kQuantifiers[] = {"exists", "not exists", "forall"};
  return text + kQuantifiers[static_cast<int>(test.quantifier)] + " " + dump(test, test.condition) + "\n" +
         test.condition_text + "\n";
}

}  // namespace ordeal::litmus::testing
