#include "litmus/condition_printer.h"

#include <string_view>

namespace ordeal::litmus {
namespace {

using Kind = Proposition::Kind;
using Comparison = Proposition::Comparison;

std::string_view spelling(Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual: return "=";
    case Comparison::kNotEqual: return "!=";
    case Comparison::kLess: return "<";
    case Comparison::kLessEqual: return "<=";
    case Comparison::kGreater: return ">";
    case Comparison::kGreaterEqual: return ">=";
  }
  return "=";
}

class PropositionPrinter {
 public:
  PropositionPrinter(const Test& test, ConditionStyle style) : test_(test), style_(style) {}

  std::string print(const Proposition& proposition) const {
    switch (proposition.kind) {
      case Kind::kTrue: return "true";
      case Kind::kFalse: return "false";
      case Kind::kAtom: return atom(proposition);
      case Kind::kNot: return "not (" + print(proposition.operands[0]) + ")";
      case Kind::kAnd: return chain(proposition, " /\\ ");
      case Kind::kOr: return chain(proposition, " \\/ ");
      case Kind::kImplies: return chain(proposition, " => ");
    }
    return {};
  }

 private:
  std::string chain(const Proposition& proposition, std::string_view separator) const {
    std::string text;
    for (std::size_t index = 0; index < proposition.operands.size(); ++index) {
      if (index > 0) text += separator;
      const Proposition& operand = proposition.operands[index];
      text += needs_parentheses(proposition, index) ? "(" + print(operand) + ")" : print(operand);
    }
    return text;
  }

  /// As herd has it, but for the left side of `=>`, where herd prints what it would read differently.
  static bool needs_parentheses(const Proposition& above, std::size_t index) {
    const Kind kind = above.operands[index].kind;
    if (kind != Kind::kAnd && kind != Kind::kOr && kind != Kind::kImplies) return false;
    if (above.kind == Kind::kOr) return kind == Kind::kImplies;
    if (above.kind == Kind::kImplies) return kind != Kind::kImplies || index == 0;
    return kind != Kind::kAnd;
  }

  std::string atom(const Proposition& atom) const {
    const bool is_herd_negation = style_ == ConditionStyle::kHerd && atom.comparison == Comparison::kNotEqual;
    const Comparison comparison = is_herd_negation ? Comparison::kEqual : atom.comparison;
    const std::string right = atom.right ? observable(*atom.right) : value(atom.number);
    const std::string text = observable(atom.left) + std::string(spelling(comparison)) + right;
    return is_herd_negation ? "not (" + text + ")" : text;
  }

  std::string observable(const Observable& observable) const {
    const std::string name = test_.name_of(observable);
    return observable.thread < 0 ? "[" + name + "]" : name;
  }

  std::string value(Value number) const {
    const int location = location_at(number);
    if (location < 0 || static_cast<std::size_t>(location) >= test_.locations.size()) return std::to_string(number);
    const std::string& name = test_.locations[static_cast<std::size_t>(location)].name;
    return style_ == ConditionStyle::kSource ? "&" + name : name;
  }

  const Test& test_;
  ConditionStyle style_;
};

std::string_view spelling(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::kExists: return "exists";
    case Quantifier::kNotExists: return "~exists";
    case Quantifier::kForall: return "forall";
  }
  return "forall";
}

}  // namespace

std::string print_proposition(const Test& test, const Proposition& proposition, ConditionStyle style) {
  return PropositionPrinter(test, style).print(proposition);
}

std::string print_condition(const Test& test, ConditionStyle style) {
  return std::string(spelling(test.quantifier)) + " (" + print_proposition(test, test.condition, style) + ")";
}

}  // namespace ordeal::litmus
