#include "litmus/condition_parser.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace ordeal::litmus {
namespace {

using Kind = Proposition::Kind;
using Comparison = Proposition::Comparison;

/// `left` and `right` joined by `/\` or `\/`; an operand of the same kind is spliced in.
ConditionParser::Parsed join(Kind kind, ConditionParser::Parsed left, ConditionParser::Parsed right) {
  ConditionParser::Parsed all;
  if (left.proposition.kind == kind) {
    all = std::move(left);
  } else {
    all.proposition.kind = kind;
    all.height = left.height + 1;
    all.proposition.operands.push_back(std::move(left.proposition));
  }
  if (right.proposition.kind == kind) {
    for (auto& operand : right.proposition.operands) all.proposition.operands.push_back(std::move(operand));
    all.height = std::max(all.height, right.height);
  } else {
    all.height = std::max(all.height, right.height + 1);
    all.proposition.operands.push_back(std::move(right.proposition));
  }
  return all;
}

}  // namespace

ConditionParser::ConditionParser(TokenCursor& cursor, const LocationTable& locations, Test& test)
    : cursor_(cursor), locations_(locations), test_(test) {
  for (const auto& thread : test.threads) {
    auto& names = variables_.emplace_back();
    for (std::size_t index = 0; index < thread.variables.size(); ++index)
      names.emplace(thread.variables[index].name, static_cast<int>(index));
  }
}

bool ConditionParser::at_start(const TokenCursor& cursor) {
  static constexpr std::string_view kStarts[] = {"locations", "filter", "exists", "forall", "final",  "~",
                                                 "not",       "!",      "(",      "LK",     "regions"};
  return std::any_of(std::begin(kStarts), std::end(kStarts), [&](auto start) { return cursor.at(start); });
}

void ConditionParser::parse() {
  while (cursor_.at("LK") || cursor_.at("regions")) skip_kinds();
  while (cursor_.at("locations") || cursor_.at("filter")) {
    if (cursor_.at("locations")) {
      parse_locations();
    } else {
      if (test_.filter) cursor_.fail_here("a second 'filter'");
      cursor_.next();
      test_.filter = parse_or().proposition;
    }
  }
  if (cursor_.peek().kind != TokenKind::kEnd) parse_final();
  if (cursor_.at("with")) cursor_.fail_here("unsupported 'with'");
  if (cursor_.peek().kind != TokenKind::kEnd) cursor_.fail_expected("'/\\', '\\/' or the end of the file");
}

/// `LK x:atomic, y:nonatomic` or `regions: x:global`. A C model of herd makes nothing of it.
void ConditionParser::skip_kinds() {
  cursor_.next();
  cursor_.accept(":");
  do {
    expect_location();
    cursor_.expect(":", "after the location");
    cursor_.expect_name("the kind of the location");
  } while (cursor_.accept(","));
}

/// `locations [x; 0:r1;]`; types before or behind the names are read over.
void ConditionParser::parse_locations() {
  cursor_.next();
  cursor_.expect("[", "after 'locations'");
  const auto skip_type = [&] {
    if (cursor_.at_name() && is_type_word(cursor_.peek().text)) parse_base_type(cursor_);
    while (cursor_.accept("*")) {
    }
  };
  while (!cursor_.accept("]")) {
    if (cursor_.accept(";") || cursor_.accept(",")) continue;
    skip_type();
    test_.shown.push_back(parse_observable());
    skip_type();
    if (!cursor_.at(";") && !cursor_.at(",") && !cursor_.at("]")) cursor_.fail_expected("';' or ']' in 'locations'");
  }
}

void ConditionParser::parse_final() {
  test_.condition_position = cursor_.position();
  if (accept_not()) {
    cursor_.expect("exists", "after 'not'");
    test_.quantifier = Quantifier::kNotExists;
  } else if (cursor_.accept("exists") || cursor_.accept("final") || cursor_.at("(")) {
    test_.quantifier = Quantifier::kExists;
  } else if (cursor_.accept("forall")) {
    test_.quantifier = Quantifier::kForall;
  } else {
    cursor_.fail_expected("'exists', '~exists' or 'forall'");
  }
  test_.condition = parse_or().proposition;
  cursor_.accept(";");
}

bool ConditionParser::accept_not() { return cursor_.accept("~") || cursor_.accept("not") || cursor_.accept("!"); }

ConditionParser::Parsed ConditionParser::parse_or() {
  const Nesting nesting(depth_, cursor_, "propositions");
  Parsed left = parse_and();
  while (cursor_.accept("\\/") || cursor_.accept("||")) left = checked(join(Kind::kOr, std::move(left), parse_and()));
  return left;
}

ConditionParser::Parsed ConditionParser::parse_and() {
  Parsed left = parse_implies();
  while (cursor_.accept("/\\") || cursor_.accept("&&"))
    left = checked(join(Kind::kAnd, std::move(left), parse_implies()));
  return left;
}

/// Binds more tightly than `/\`, and to the right: so herd has it.
ConditionParser::Parsed ConditionParser::parse_implies() {
  std::vector<Parsed> parts;
  do parts.push_back(parse_not());
  while (cursor_.accept("=>"));
  Parsed result = std::move(parts.back());
  for (parts.pop_back(); !parts.empty(); parts.pop_back()) {
    Parsed implication;
    implication.proposition.kind = Kind::kImplies;
    implication.height = std::max(parts.back().height, result.height) + 1;
    implication.proposition.operands.push_back(std::move(parts.back().proposition));
    implication.proposition.operands.push_back(std::move(result.proposition));
    result = checked(std::move(implication));
  }
  return result;
}

ConditionParser::Parsed ConditionParser::parse_not() {
  int negations = 0;
  while (accept_not()) ++negations;
  Parsed result;
  if (cursor_.at("(") && cursor_.at(")", 1)) {  // `()` is true: so old tests write it
    cursor_.seek(cursor_.index() + 2);
  } else if (cursor_.accept("(")) {
    result = parse_or();
    cursor_.expect(")", "to close the parenthesis");
  } else {
    result.proposition = parse_atom();
  }
  for (; negations > 0; --negations) {
    Parsed negation;
    negation.proposition.kind = Kind::kNot;
    negation.height = result.height + 1;
    negation.proposition.operands.push_back(std::move(result.proposition));
    result = checked(std::move(negation));
  }
  return result;
}

/// A tree is printed with at most one level of parentheses more than its height, and must be readable then.
ConditionParser::Parsed ConditionParser::checked(Parsed parsed) const {
  if (parsed.height >= kMaximumNesting)
    cursor_.fail_here("propositions nested too deeply (more than " + std::to_string(kMaximumNesting) + " levels)");
  return parsed;
}

Proposition ConditionParser::parse_atom() {
  Proposition atom;
  if (cursor_.accept("true")) return atom;
  if (cursor_.accept("false")) {
    atom.kind = Kind::kFalse;
    return atom;
  }
  atom.kind = Kind::kAtom;
  atom.left = parse_observable();
  atom.comparison = parse_comparison();
  parse_right_side(atom);
  return atom;
}

Comparison ConditionParser::parse_comparison() {
  if (cursor_.accept("=") || cursor_.accept("==")) return Comparison::kEqual;
  if (cursor_.accept("!=") || cursor_.accept("<>")) return Comparison::kNotEqual;
  if (cursor_.accept("<")) return Comparison::kLess;
  if (cursor_.accept("<=")) return Comparison::kLessEqual;
  if (cursor_.accept(">")) return Comparison::kGreater;
  if (cursor_.accept(">=")) return Comparison::kGreaterEqual;
  cursor_.fail_expected("'=' or another comparison");
}

/// A number, a register, `[x]` or `*x` for what x holds, `x` or `&x` for its address.
void ConditionParser::parse_right_side(Proposition& atom) {
  if (at_register()) {
    atom.right = parse_register();
  } else if (cursor_.at("[") || cursor_.at("*")) {
    atom.right = parse_location();
  } else if (cursor_.at_signed_number()) {
    atom.number = cursor_.expect_number("a number");
  } else if (cursor_.accept("true")) {
    atom.number = 1;
  } else if (!cursor_.accept("false") && !cursor_.accept("NULL")) {
    const bool is_address = cursor_.accept("&");
    if (!is_address && !cursor_.at_name()) cursor_.fail_expected("a value");
    atom.number = address_of(expect_location());
  }
}

/// `0:r0` or `P0:r0`.
bool ConditionParser::at_register() const {
  return cursor_.at(":", 1) && (cursor_.at_number() || (cursor_.at_name() && thread_number(cursor_.peek().text)));
}

Observable ConditionParser::parse_register() {
  const Token& thread = cursor_.next();
  cursor_.next();
  const auto count = test_.threads.size();
  const bool is_number = thread.kind == TokenKind::kNumber;
  const auto number = is_number ? thread.magnitude : static_cast<std::uint64_t>(*thread_number(thread.text));
  if (number >= count) cursor_.fail(thread.position, "there is no thread " + describe(thread));
  const Token& name = cursor_.expect_name("a register");
  const auto& variables = variables_[number];
  const auto found = variables.find(std::string(name.text));
  if (found == variables.end())
    cursor_.fail(name.position, "unknown register " + describe(name) + " in P" + std::to_string(number));
  return {static_cast<int>(number), found->second};
}

Observable ConditionParser::parse_location() {
  if (cursor_.accept("[")) {
    const int location = expect_location();
    cursor_.expect("]", "after the location");
    return {-1, location};
  }
  cursor_.accept("*");
  return {-1, expect_location()};
}

Observable ConditionParser::parse_observable() {
  if (at_register()) return parse_register();
  if (cursor_.at("fault") || cursor_.at("Fault")) cursor_.fail_here("unsupported 'fault'");
  return parse_location();
}

int ConditionParser::expect_location() {
  const Token& name = cursor_.expect_name("a register such as '0:r0' or a location");
  if (cursor_.at("[")) cursor_.fail_here("unsupported array");
  const int location = locations_.find(name.text);
  if (location < 0) cursor_.fail(name.position, "unknown location " + describe(name));
  return location;
}

}  // namespace ordeal::litmus
