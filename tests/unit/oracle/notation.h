// A short notation for the programs of the oracle's tests, so that they depend on no parser of the project.
//
// A thread is a list of statements separated by `;`:
//   W x 1 rlx            store               R r0 x acq           load into a register
//   F sc                 fence               = r0 r1+1            assignment
//   A r0 x 1 rlx         fetch_add           X r0 x 1 rlx         exchange
//   C r0 x 0 1 acq rlx   compare-exchange (strong) of 0 by 1; r0 becomes 1 or 0, and r0_seen what it expected or saw
//   V r0 x 0 1 acq rlx   the same, weak
//   M r0 x e 1 acq rlx   the same (strong), where location e holds the expected value
//   if r0==1 { … } else { … }                while r0==0 { … }      do { … } while r0==0
//   break   continue   return
// Registers are r…, locations are all other names; a register used as a location is a pointer, and &x is an address. An
// operand is a number, a register, or one operator between two of them, without spaces.
// Orders: na rlx con acq rel ar sc.
// All registers and locations are observed.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "litmus/ast.h"
#include "oracle/oracle.h"

namespace ordeal::oracle::testing {

class Notation {
 public:
  static litmus::Test parse(const std::vector<std::string>& threads,
                            const std::map<std::string, litmus::Value>& initial = {}) {
    Notation notation;
    for (const auto& [name, value] : initial) notation.test_.locations[notation.location(name)].initial = value;
    for (const auto& text : threads) notation.parse_thread(text);
    auto& test = notation.test_;
    for (int t = 0; t < static_cast<int>(test.threads.size()); ++t)
      for (int v = 0; v < static_cast<int>(test.threads[t].variables.size()); ++v) test.shown.push_back({t, v});
    for (int x = 0; x < static_cast<int>(test.locations.size()); ++x) test.shown.push_back({-1, x});
    return std::move(test);
  }

 private:
  using Expression = litmus::Expression;
  using Statement = litmus::Statement;

  void parse_thread(const std::string& text) {
    std::string spaced;
    for (const char c : text) {
      if (c == ';' || c == '{' || c == '}')
        (spaced += ' ') += std::string(1, c) + ' ';
      else
        spaced += c;
    }
    std::istringstream in(spaced);
    tokens_.clear();
    for (std::string token; in >> token;) tokens_.push_back(token);
    next_ = 0;
    test_.threads.emplace_back();
    test_.threads.back().body = block();
    if (next_ != tokens_.size()) throw std::runtime_error("notation: extra " + tokens_[next_]);
  }

  std::string take() {
    if (next_ == tokens_.size()) throw std::runtime_error("notation: too short");
    return tokens_[next_++];
  }
  bool take_if(const std::string& token) {
    if (next_ == tokens_.size() || tokens_[next_] != token) return false;
    ++next_;
    return true;
  }

  litmus::Block block() {
    litmus::Block result;
    while (next_ != tokens_.size() && tokens_[next_] != "}")
      if (!take_if(";")) result.push_back(statement());
    return result;
  }
  litmus::Block braces() {
    if (!take_if("{")) throw std::runtime_error("notation: no {");
    auto result = block();
    if (!take_if("}")) throw std::runtime_error("notation: no }");
    return result;
  }

  Statement statement() {
    const std::string op = take();
    Statement s;
    if (op == "W") {
      s.kind = Statement::Kind::kStore;
      s.address = address(take());
      s.expression = operand(take());
      s.order = order(take());
    } else if (op == "F") {
      s.kind = Statement::Kind::kFence;
      s.order = order(take());
    } else if (op == "=") {
      s.kind = Statement::Kind::kAssign;
      s.variable = variable(take());
      s.expression = operand(take());
    } else if (op == "if") {
      s.kind = Statement::Kind::kIf;
      s.expression = operand(take());
      s.body = braces();
      if (take_if("else")) s.other = braces();
    } else if (op == "while") {
      s.kind = Statement::Kind::kWhile;
      s.expression = operand(take());
      s.body = braces();
    } else if (op == "do") {
      s.kind = Statement::Kind::kDoWhile;
      s.body = braces();
      if (!take_if("while")) throw std::runtime_error("notation: no while");
      s.expression = operand(take());
    } else if (op == "break") {
      s.kind = Statement::Kind::kBreak;
    } else if (op == "continue") {
      s.kind = Statement::Kind::kContinue;
    } else if (op == "return") {
      s.kind = Statement::Kind::kReturn;
    } else {
      s.kind = Statement::Kind::kAssign;
      const std::string name = take();
      s.variable = variable(name);
      s.expression = access(op, name);
    }
    return s;
  }

  litmus::ExpressionPtr access(const std::string& op, const std::string& name) {
    auto e = std::make_unique<Expression>();
    e->operand = address(take());
    if (op == "R") {
      e->kind = Expression::Kind::kLoad;
    } else if (op == "A" || op == "X") {
      e->kind = Expression::Kind::kRmw;
      e->rmw_op = op == "A" ? litmus::RmwOp::kAdd : litmus::RmwOp::kExchange;
      e->second = operand(take());
    } else if (op == "C" || op == "V" || op == "M") {
      e->kind = Expression::Kind::kCompareExchange;
      e->is_weak = op == "V";
      if (op == "M") {
        e->expected_address = address(take());
      } else {
        e->expected_variable = variable(name + "_seen");
        variables().at(e->expected_variable).initial = std::stoll(take());
      }
      e->second = operand(take());
    } else {
      throw std::runtime_error("notation: " + op);
    }
    e->order = order(take());
    if (e->kind == Expression::Kind::kCompareExchange) e->failure_order = order(take());
    return e;
  }

  litmus::ExpressionPtr address(const std::string& name) {
    if (name[0] == 'r') return operand(name);
    auto e = std::make_unique<Expression>();
    e->kind = Expression::Kind::kLocationAddress;
    e->location = location(name);
    return e;
  }

  litmus::ExpressionPtr operand(const std::string& text) {
    using litmus::BinaryOp;
    static const std::pair<const char*, BinaryOp> operators[] = {
        {"==", BinaryOp::kEqual}, {"!=", BinaryOp::kNotEqual}, {"+", BinaryOp::kAdd},   {"-", BinaryOp::kSub},
        {"*", BinaryOp::kMul},    {"<", BinaryOp::kLess},      {"^", BinaryOp::kBitXor}};
    auto e = std::make_unique<Expression>();
    for (const auto& [sign, op] : operators) {
      const auto place = text.find(sign);
      if (place == std::string::npos || place == 0) continue;
      e->kind = Expression::Kind::kBinary;
      e->binary_op = op;
      e->operand = operand(text.substr(0, place));
      e->second = operand(text.substr(place + std::string(sign).size()));
      return e;
    }
    if (text[0] == '&') return address(text.substr(1));
    if (text[0] == 'r') {
      e->kind = Expression::Kind::kVariable;
      e->variable = variable(text);
    } else {
      e->number = std::stoll(text);
    }
    return e;
  }

  static litmus::Order order(const std::string& name) {
    using litmus::Order;
    static const std::map<std::string, Order> orders{
        {"na", Order::kPlain},    {"rlx", Order::kRelaxed}, {"con", Order::kConsume}, {"acq", Order::kAcquire},
        {"rel", Order::kRelease}, {"ar", Order::kAcqRel},   {"sc", Order::kSeqCst}};
    return orders.at(name);
  }

  std::vector<litmus::Variable>& variables() { return test_.threads.back().variables; }

  int variable(const std::string& name) {
    for (int v = 0; v < static_cast<int>(variables().size()); ++v)
      if (variables()[v].name == name) return v;
    variables().push_back({name, {.bits = 64}, false, 0});
    return static_cast<int>(variables().size()) - 1;
  }

  int location(const std::string& name) {
    for (int x = 0; x < static_cast<int>(test_.locations.size()); ++x)
      if (test_.locations[x].name == name) return x;
    test_.locations.push_back({name, {.bits = 64, .is_atomic = true}, 0});
    return static_cast<int>(test_.locations.size()) - 1;
  }

  litmus::Test test_;
  std::vector<std::string> tokens_;
  std::size_t next_ = 0;
};

/// Some of a final state, name → value, for instance {{"0:r0", 1}, {"x", 2}}.
using Part = std::map<std::string, litmus::Value>;

/// Whether a state of the result has that part.
inline bool reaches(const litmus::Test& test, const Result& result, const Part& part) {
  const auto observables = test.observables();
  const auto agrees = [&](const State& state) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < observables.size(); ++i) {
      const auto wanted = part.find(test.name_of(observables[i]));
      if (wanted == part.end()) continue;
      ++found;
      if (wanted->second != state[i]) return false;
    }
    if (found != part.size()) throw std::runtime_error("notation: no such observable");
    return true;
  };
  return std::any_of(result.states.begin(), result.states.end(), agrees);
}

}  // namespace ordeal::oracle::testing
