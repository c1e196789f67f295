#include "litmus/address_width.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ordeal::litmus {
namespace {

/// A graph of what may be copied where. Its nodes are the locations, then two hubs, then the variables, by thread.
class AddressFlow {
 public:
  explicit AddressFlow(const Test& test) : test_(test), stored_(test.locations.size()), loaded_(stored_ + 1) {
    std::size_t nodes = loaded_ + 1;
    for (const auto& thread : test.threads) {
      first_variable_.push_back(nodes);
      nodes += thread.variables.size();
    }
    copies_.resize(nodes);
    is_address_.resize(nodes, false);
    is_assigned_.resize(nodes, false);
    for (std::size_t location = 0; location < stored_; ++location) {
      copies_[stored_].push_back(location);
      copies_[location].push_back(loaded_);
      if (is_address(test.locations[location].initial)) mark(location);
    }
    for (thread_ = 0; thread_ < test.threads.size(); ++thread_) read_thread();
    spread();
  }

  bool location_holds_address(std::size_t location) const { return is_address_[location]; }
  bool variable_holds_address(std::size_t thread, std::size_t variable) const {
    return is_address_[first_variable_[thread] + variable];
  }

 private:
  using Nodes = std::vector<std::size_t>;

  bool is_address(Value value) const {
    const int location = location_at(value);
    return location >= 0 && static_cast<std::size_t>(location) < test_.locations.size();
  }
  void mark(std::size_t node) {
    if (!is_address_[node]) reached_.push_back(node);
    is_address_[node] = true;
  }
  std::size_t variable(int index) const { return first_variable_[thread_] + static_cast<std::size_t>(index); }

  void read_thread() {
    const auto& thread = test_.threads[thread_];
    for (std::size_t index = 0; index < thread.variables.size(); ++index)
      if (is_address(thread.variables[index].initial)) mark(first_variable_[thread_] + index);
    note_assignments(thread.body);
    read(thread.body);
  }

  void note_assignments(const Block& block) {
    for (const auto& statement : block) {
      if (statement.kind == Statement::Kind::kAssign) is_assigned_[variable(statement.variable)] = true;
      note_assignments(statement.body);
      note_assignments(statement.other);
      note_assignments(statement.step);
    }
  }

  void read(const Block& block) {
    for (const auto& statement : block) {
      if (statement.address) read(*statement.address);
      if (statement.expression) read(*statement.expression);
      if (statement.kind == Statement::Kind::kAssign) copy(*statement.expression, variable(statement.variable));
      if (statement.kind == Statement::Kind::kStore) copy(*statement.expression, target(*statement.address, stored_));
      read(statement.body);
      read(statement.other);
      read(statement.step);
    }
  }

  /// The writes inside an expression.
  void read(const Expression& expression) {
    for (const auto* part : {&expression.operand, &expression.second, &expression.third, &expression.expected_address})
      if (*part) read(**part);
    if (expression.kind == Expression::Kind::kRmw) copy(*expression.second, target(*expression.operand, stored_));
    if (expression.kind != Expression::Kind::kCompareExchange) return;
    copy(*expression.second, target(*expression.operand, stored_));
    const std::size_t expected = expression.expected_address ? target(*expression.expected_address, stored_)
                                                             : variable(expression.expected_variable);
    copies_[target(*expression.operand, loaded_)].push_back(expected);
  }

  /// The location that `address` points to, or `hub` if it could be any.
  std::size_t target(const Expression& address, std::size_t hub) const {
    if (address.kind == Expression::Kind::kLocationAddress) return static_cast<std::size_t>(address.location);
    if (address.kind != Expression::Kind::kVariable || is_assigned_[variable(address.variable)]) return hub;
    const Value initial = test_.threads[thread_].variables[static_cast<std::size_t>(address.variable)].initial;
    return is_address(initial) ? static_cast<std::size_t>(location_at(initial)) : hub;
  }

  /// The value of `expression` goes to `node`.
  void copy(const Expression& expression, std::size_t node) {
    switch (expression.kind) {
      case Expression::Kind::kNumber: return is_address(expression.number) ? mark(node) : void();
      case Expression::Kind::kVariable: return copies_[variable(expression.variable)].push_back(node);
      case Expression::Kind::kLocationAddress: return mark(node);
      case Expression::Kind::kUnary:
        if (expression.unary_op != UnaryOp::kLogicalNot) copy(*expression.operand, node);
        return;
      case Expression::Kind::kBinary:
        if (expression.binary_op >= BinaryOp::kEqual) return;
        copy(*expression.operand, node);
        return copy(*expression.second, node);
      case Expression::Kind::kConditional: copy(*expression.second, node); return copy(*expression.third, node);
      case Expression::Kind::kLoad:
      case Expression::Kind::kRmw: return copies_[target(*expression.operand, loaded_)].push_back(node);
      case Expression::Kind::kCompareExchange: return;
    }
  }

  void spread() {
    while (!reached_.empty()) {
      const std::size_t node = reached_.back();
      reached_.pop_back();
      for (const std::size_t next : copies_[node]) mark(next);
    }
  }

  const Test& test_;
  std::size_t stored_;  // the hub that a store through an unknown pointer goes to, and from there to all locations
  std::size_t loaded_;  // the hub that all locations go to, and from there to what loads through an unknown pointer
  std::size_t thread_ = 0;
  Nodes first_variable_;
  std::vector<Nodes> copies_;
  std::vector<bool> is_address_;
  std::vector<bool> is_assigned_;
  Nodes reached_;
};

void widen(Type& type) {
  if (type.pointers == 0 && !type.is_bool) type.bits = 64;
}

}  // namespace

void widen_for_addresses(Test& test) {
  const AddressFlow flow(test);
  for (std::size_t location = 0; location < test.locations.size(); ++location)
    if (flow.location_holds_address(location)) widen(test.locations[location].type);
  for (std::size_t thread = 0; thread < test.threads.size(); ++thread)
    for (std::size_t variable = 0; variable < test.threads[thread].variables.size(); ++variable)
      if (flow.variable_holds_address(thread, variable)) widen(test.threads[thread].variables[variable].type);
}

}  // namespace ordeal::litmus
