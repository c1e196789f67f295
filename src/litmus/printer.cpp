#include "litmus/printer.h"

#include <optional>
#include <string_view>
#include <unordered_map>

#include "litmus/condition_printer.h"

namespace ordeal::litmus {
namespace {

using Kind = Expression::Kind;

std::string base_name(const Type& type) {
  if (type.is_bool) return type.is_atomic ? "atomic_bool" : "bool";
  if (type.bits == 32 && type.is_signed) return type.is_atomic ? "atomic_int" : "int";
  const std::string name = (type.is_signed ? "int" : "uint") + std::to_string(type.bits) + "_t";
  return type.is_atomic ? "_Atomic " + name : name;
}

std::string type_name(const Type& type) {
  const std::string name = base_name(type) + std::string(static_cast<std::size_t>(type.pointers), '*');
  return type.is_volatile ? "volatile " + name : name;
}

std::string_view order_name(Order order) {
  switch (order) {
    case Order::kPlain:
    case Order::kRelaxed: return "memory_order_relaxed";
    case Order::kConsume: return "memory_order_consume";
    case Order::kAcquire: return "memory_order_acquire";
    case Order::kRelease: return "memory_order_release";
    case Order::kAcqRel: return "memory_order_acq_rel";
    case Order::kSeqCst: return "memory_order_seq_cst";
  }
  return "memory_order_seq_cst";
}

std::string_view rmw_name(RmwOp op) {
  switch (op) {
    case RmwOp::kExchange: return "exchange";
    case RmwOp::kAdd: return "fetch_add";
    case RmwOp::kSub: return "fetch_sub";
    case RmwOp::kOr: return "fetch_or";
    case RmwOp::kAnd: return "fetch_and";
    case RmwOp::kXor: return "fetch_xor";
  }
  return "exchange";
}

std::string_view spelling(BinaryOp op) {
  static constexpr std::string_view kSpellings[] = {"+",  "-",  "*",  "/", "%",  "&", "|",  "^",  "<<",
                                                    ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||"};
  return kSpellings[static_cast<std::size_t>(op)];
}

std::string_view spelling(UnaryOp op) {
  static constexpr std::string_view kSpellings[] = {"-", "~", "!"};
  return kSpellings[static_cast<std::size_t>(op)];
}

/// Prints the body of one thread.
class ThreadPrinter {
 public:
  ThreadPrinter(const Test& test, const Thread& thread) : test_(test), thread_(thread) {}

  std::string print() {
    for (const auto& variable : thread_.variables)
      if (!variable.is_parameter) line(type_name(variable.type) + " " + variable.name + ";");
    print(thread_.body);
    return std::move(text_);
  }

 private:
  void line(const std::string& content) {
    text_ += std::string(static_cast<std::size_t>(indent_), ' ') + content + "\n";
  }

  void print(const Block& block) {
    for (const auto& statement : block) print(statement);
  }

  void print_body(const std::string& head, const Block& body) {
    line(head + "{");
    indent_ += 2;
    print(body);
    indent_ -= 2;
  }

  void print(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::kAssign: return line(assignment(statement) + ";");
      case Statement::Kind::kStore: return line(store(statement) + ";");
      case Statement::Kind::kEvaluate: return line(print(*statement.expression) + ";");
      case Statement::Kind::kFence: return line(simple(statement) + ";");
      case Statement::Kind::kIf: return print_if(statement);
      case Statement::Kind::kWhile: print_body(while_head(statement), statement.body); return line("}");
      case Statement::Kind::kDoWhile:
        print_body("do ", statement.body);
        return line("} while (" + print(*statement.expression) + ");");
      case Statement::Kind::kBlock: print_body("", statement.body); return line("}");
      case Statement::Kind::kBreak: return line("break;");
      case Statement::Kind::kContinue: return line("continue;");
      case Statement::Kind::kReturn: return line("return;");
    }
  }

  void print_if(const Statement& statement) {
    print_body("if (" + print(*statement.expression) + ") ", statement.body);
    if (!statement.other.empty()) print_body("} else ", statement.other);
    line("}");
  }

  std::string while_head(const Statement& loop) const {
    if (loop.step.empty()) return "while (" + print(*loop.expression) + ") ";
    std::string step;
    for (const auto& statement : loop.step) step += (step.empty() ? "" : ", ") + simple(statement);
    return "for (; " + print(*loop.expression) + "; " + step + ") ";
  }

  /// What may stand in the last part of a `for`.
  std::string simple(const Statement& statement) const {
    switch (statement.kind) {
      case Statement::Kind::kAssign: return assignment(statement);
      case Statement::Kind::kStore: return store(statement);
      case Statement::Kind::kFence: return "atomic_thread_fence(" + std::string(order_name(statement.order)) + ")";
      default: return print(*statement.expression);
    }
  }

  std::string assignment(const Statement& statement) const {
    return variable_name(statement.variable) + " = " + print(*statement.expression);
  }

  std::string store(const Statement& statement) const {
    const std::string value = print(*statement.expression);
    if (statement.order != Order::kPlain)
      return "atomic_store_explicit(" + print(*statement.address) + ", " + value + ", " +
             std::string(order_name(statement.order)) + ")";
    return "*" + print_operand(*statement.address) + " = " + value;
  }

  std::string print(const Expression& expression) const {
    switch (expression.kind) {
      case Kind::kNumber: return std::to_string(expression.number);
      case Kind::kVariable: return variable_name(expression.variable);
      case Kind::kLocationAddress: return location_address(expression);
      case Kind::kUnary: return unary(expression);
      case Kind::kBinary:
        return print_operand(*expression.operand) + " " + std::string(spelling(expression.binary_op)) + " " +
               print_operand(*expression.second);
      case Kind::kConditional:
        return print_operand(*expression.operand) + " ? " + print(*expression.second) + " : " +
               print(*expression.third);
      case Kind::kLoad: return load(expression);
      case Kind::kRmw:
        return "atomic_" + std::string(rmw_name(expression.rmw_op)) + "_explicit(" + print(*expression.operand) + ", " +
               print(*expression.second) + ", " + std::string(order_name(expression.order)) + ")";
      case Kind::kCompareExchange: return compare_exchange(expression);
    }
    return {};
  }

  std::string unary(const Expression& expression) const {
    const std::string_view op = spelling(expression.unary_op);
    // `-5` is a number, `-(5)` an operator with one.
    const bool is_ambiguous = op == "-" && expression.operand->kind == Kind::kNumber;
    const std::string operand =
        is_ambiguous ? "(" + print(*expression.operand) + ")" : print_operand(*expression.operand);
    return std::string(op) + operand;
  }

  /// In parentheses, unless it is a name, a number or a call.
  std::string print_operand(const Expression& operand) const {
    const bool is_call = operand.kind == Kind::kRmw || operand.kind == Kind::kCompareExchange ||
                         (operand.kind == Kind::kLoad && operand.order != Order::kPlain);
    if (operand.kind == Kind::kVariable || is_call) return print(operand);
    if (operand.kind == Kind::kNumber && operand.number >= 0) return print(operand);
    return "(" + print(operand) + ")";
  }

  std::string load(const Expression& load) const {
    if (load.order == Order::kPlain) return "*" + print_operand(*load.operand);
    return "atomic_load_explicit(" + print(*load.operand) + ", " + std::string(order_name(load.order)) + ")";
  }

  std::string compare_exchange(const Expression& expression) const {
    const std::string expected = !expression.expected_address ? "&" + variable_name(expression.expected_variable)
                                                              : pointer(*expression.expected_address);
    return std::string("atomic_compare_exchange_") + (expression.is_weak ? "weak" : "strong") + "_explicit(" +
           print(*expression.operand) + ", " + expected + ", " + print(*expression.second) + ", " +
           std::string(order_name(expression.order)) + ", " + std::string(order_name(expression.failure_order)) + ")";
  }

  /// Printed so that the parser sees a pointer.
  std::string pointer(const Expression& address) const {
    const auto type = type_of(address);
    return type && type->pointers > 0 ? print(address) : "(int*)" + print_operand(address);
  }

  /// The type of `address`, if it is plain to see.
  std::optional<Type> type_of(const Expression& address) const {
    if (address.kind == Kind::kVariable) return thread_.variables[static_cast<std::size_t>(address.variable)].type;
    if (address.kind != Kind::kLocationAddress) return std::nullopt;
    Type type = test_.locations[static_cast<std::size_t>(address.location)].type;
    ++type.pointers;
    return type;
  }

  std::string variable_name(int variable) const { return thread_.variables[static_cast<std::size_t>(variable)].name; }
  std::string location_address(const Expression& expression) const {
    return "&" + test_.locations[static_cast<std::size_t>(expression.location)].name;
  }

  const Test& test_;
  const Thread& thread_;
  std::string text_;
  int indent_ = 2;
};

class TestPrinter {
 public:
  explicit TestPrinter(const Test& test) : test_(test) {
    for (std::size_t index = 0; index < test.locations.size(); ++index)
      locations_.emplace(test.locations[index].name, static_cast<int>(index));
  }

  std::string print() const {
    std::string text = "C " + test_.name + "\n\n{\n" + initial_state() + "}\n";
    for (std::size_t index = 0; index < test_.threads.size(); ++index)
      text += "\nP" + std::to_string(index) + " (" + parameters(test_.threads[index]) + ") {\n" +
              ThreadPrinter(test_, test_.threads[index]).print() + "}\n";
    text += "\n";
    if (!test_.shown.empty()) text += "locations [" + shown() + "]\n";
    if (test_.filter) text += "filter (" + print_proposition(test_, *test_.filter, ConditionStyle::kSource) + ")\n";
    return text + print_condition(test_, ConditionStyle::kSource) + "\n";
  }

 private:
  std::string initial_state() const {
    std::string text;
    for (const auto& location : test_.locations)
      text += "  " + type_name(location.type) + " " + location.name + " = " + value(location.initial) + ";\n";
    for (std::size_t thread = 0; thread < test_.threads.size(); ++thread)
      for (const auto& variable : test_.threads[thread].variables)
        if (!has_default(variable))
          text += "  " + std::to_string(thread) + ":" + variable.name + " = " + value(variable.initial) + ";\n";
    return text;
  }

  /// Whether the parser gives this initial value on its own.
  bool has_default(const Variable& variable) const {
    if (!variable.is_parameter) return variable.initial == 0;
    const auto location = locations_.find(variable.name);
    if (location == locations_.end()) return variable.type.pointers == 0 && variable.initial == 0;
    return variable.type.pointers > 0 && variable.initial == address_of(location->second);
  }

  static std::string parameters(const Thread& thread) {
    std::string text;
    for (const auto& variable : thread.variables)
      if (variable.is_parameter) text += (text.empty() ? "" : ", ") + type_name(variable.type) + " " + variable.name;
    return text;
  }

  std::string shown() const {
    std::string text;
    for (const auto& observable : test_.shown) text += test_.name_of(observable) + ";";
    return text;
  }

  std::string value(Value number) const {
    const int location = location_at(number);
    if (location < 0 || static_cast<std::size_t>(location) >= test_.locations.size()) return std::to_string(number);
    return "&" + test_.locations[static_cast<std::size_t>(location)].name;
  }

  const Test& test_;
  std::unordered_map<std::string_view, int> locations_;
};

}  // namespace

std::string to_source(const Test& test) { return TestPrinter(test).print(); }

std::string condition_text(const Test& test) { return print_condition(test, ConditionStyle::kHerd); }

}  // namespace ordeal::litmus
