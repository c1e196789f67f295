#include "litmus/expression_parser.h"

#include <string>
#include <utility>

namespace ordeal::litmus {
namespace {

using Kind = Expression::Kind;

struct BinaryOperator {
  std::string_view spelling;
  BinaryOp op;
  int precedence;
};

constexpr BinaryOperator kBinaryOperators[] = {
    {"||", BinaryOp::kLogicalOr, 1},  {"&&", BinaryOp::kLogicalAnd, 2},   {"|", BinaryOp::kBitOr, 3},
    {"^", BinaryOp::kBitXor, 4},      {"&", BinaryOp::kBitAnd, 5},        {"==", BinaryOp::kEqual, 6},
    {"!=", BinaryOp::kNotEqual, 6},   {"<", BinaryOp::kLess, 7},          {"<=", BinaryOp::kLessEqual, 7},
    {">", BinaryOp::kGreater, 7},     {">=", BinaryOp::kGreaterEqual, 7}, {"<<", BinaryOp::kShiftLeft, 8},
    {">>", BinaryOp::kShiftRight, 8}, {"+", BinaryOp::kAdd, 9},           {"-", BinaryOp::kSub, 9},
    {"*", BinaryOp::kMul, 10},        {"/", BinaryOp::kDiv, 10},          {"%", BinaryOp::kMod, 10},
};

const BinaryOperator* binary_operator(const Token& token) {
  if (token.kind != TokenKind::kPunctuation) return nullptr;
  for (const auto& candidate : kBinaryOperators)
    if (candidate.spelling == token.text) return &candidate;
  return nullptr;
}

bool is_assignment(const Token& token) {
  if (token.kind != TokenKind::kPunctuation || token.text.back() != '=') return false;
  return token.text != "==" && token.text != "!=" && token.text != "<=" && token.text != ">=";
}

}  // namespace

TypedExpression ExpressionParser::parse() {
  const Nesting nesting(depth_, cursor_, "expressions");
  TypedExpression condition = parse_binary(1);
  if (!cursor_.at("?")) return condition;
  const Position position = cursor_.next().position;
  TypedExpression second = parse();
  cursor_.expect(":", "in a conditional expression");
  TypedExpression third = parse();
  return make_conditional(std::move(condition), std::move(second), std::move(third), position);
}

TypedExpression ExpressionParser::parse_statement_start() {
  statement_start_ = cursor_.index();
  return parse();
}

TypedExpression ExpressionParser::parse_in_parentheses(std::string_view what) {
  cursor_.expect("(", what);
  TypedExpression inner = parse();
  refuse_assignment();
  refuse_comma();
  cursor_.expect(")", "to close the parenthesis");
  return inner;
}

TypedExpression ExpressionParser::parse_binary(int minimum_precedence) {
  TypedExpression left = parse_unary();
  for (;;) {
    const BinaryOperator* found = binary_operator(cursor_.peek());
    if (found == nullptr || found->precedence < minimum_precedence) return left;
    const Position position = cursor_.next().position;
    TypedExpression right = parse_binary(found->precedence + 1);
    left = make_binary(found->op, std::move(left), std::move(right), position);
  }
}

/// Prefixes are collected first, so that a long row of them needs no stack.
TypedExpression ExpressionParser::parse_unary() {
  std::vector<Prefix> prefixes = parse_prefixes();
  TypedExpression result;
  const Position position = cursor_.position();
  const bool is_address = !prefixes.empty() && prefixes.back().kind == '&';
  if (is_address && cursor_.at_name() && !variables_.is_known(cursor_.peek().text)) {
    const int location = locations_.find(cursor_.peek().text);
    if (location < 0) cursor_.fail(position, "unknown location " + describe(cursor_.peek()));
    variables_.note_location(cursor_.next().text);
    result = make_node(Kind::kLocationAddress, prefixes.back().position, locations_.type(location).pointer_to(), 1);
    result.node->location = location;
    prefixes.pop_back();
  } else {
    result = parse_postfix(!prefixes.empty());
  }
  for (; !prefixes.empty(); prefixes.pop_back()) result = apply(prefixes.back(), std::move(result));
  return result;
}

std::vector<ExpressionParser::Prefix> ExpressionParser::parse_prefixes() {
  std::vector<Prefix> prefixes;
  for (;;) {
    const Token& token = cursor_.peek();
    if (cursor_.at("(") && cursor_.at_name(1) && is_type_word(cursor_.peek(1).text)) {
      cursor_.next();
      prefixes.push_back({token.position, '(', parse_pointers(cursor_, parse_base_type(cursor_))});
      cursor_.expect(")", "after the type of a cast");
    } else if (cursor_.at("~") || cursor_.at("!") || cursor_.at("*") || cursor_.at("&") ||
               (cursor_.at("-") && !cursor_.at_number(1))) {
      prefixes.push_back({token.position, token.text[0], {}});
      cursor_.next();
    } else if (!cursor_.accept("+")) {
      return prefixes;
    }
  }
}

TypedExpression ExpressionParser::apply(const Prefix& prefix, TypedExpression operand) const {
  switch (prefix.kind) {
    case '-': return make_unary(UnaryOp::kMinus, std::move(operand), prefix.position);
    case '~': return make_unary(UnaryOp::kBitNot, std::move(operand), prefix.position);
    case '!': return make_unary(UnaryOp::kLogicalNot, std::move(operand), prefix.position);
    case '*': return make_dereference(std::move(operand), prefix.position);
    case '&': return make_address(std::move(operand), prefix.position);
    default: return make_cast(prefix.cast, std::move(operand), prefix.position);
  }
}

TypedExpression ExpressionParser::parse_postfix(bool has_prefix) {
  const std::size_t start = cursor_.index();
  TypedExpression result = parse_primary();
  if (cursor_.at("[")) cursor_.fail_here("unsupported array");
  if (cursor_.at(".") || cursor_.at("->")) cursor_.fail_here("unsupported access to a member");
  if (cursor_.at("(")) cursor_.fail_here("unsupported call through a pointer");
  if ((cursor_.at("++") || cursor_.at("--")) && (has_prefix || start != statement_start_))
    cursor_.fail_here("unsupported " + describe(cursor_.peek()) + " inside an expression");
  return result;
}

TypedExpression ExpressionParser::parse_primary() {
  if (cursor_.at_signed_number()) {
    const Position position = cursor_.position();
    return make_number(cursor_.expect_number("a number"), position);
  }
  if (cursor_.at_name()) return parse_name();
  if (cursor_.at("(")) return parse_parenthesised();
  if (cursor_.at("++") || cursor_.at("--"))
    cursor_.fail_here("unsupported " + describe(cursor_.peek()) + " inside an expression");
  if (cursor_.peek().kind == TokenKind::kString) cursor_.fail_here("unsupported string");
  cursor_.fail_expected("an expression");
}

TypedExpression ExpressionParser::parse_parenthesised() {
  if (cursor_.at("{", 1)) cursor_.fail_here("unsupported statement inside an expression");
  return parse_in_parentheses("before an expression");
}

void ExpressionParser::refuse_assignment() const {
  if (is_assignment(cursor_.peek())) cursor_.fail_here("unsupported assignment inside an expression");
}

void ExpressionParser::refuse_comma() const {
  if (cursor_.at(",")) cursor_.fail_here("unsupported comma operator inside an expression");
}

TypedExpression ExpressionParser::parse_name() {
  const Token& token = cursor_.peek();
  if (cursor_.accept("true")) return make_number(1, token.position);
  if (cursor_.accept("false") || cursor_.accept("ATOMIC_FLAG_INIT")) return make_number(0, token.position);
  if (cursor_.accept("NULL")) {
    TypedExpression null = make_number(0, token.position);
    null.type = pointer_type();
    return null;
  }
  if (cursor_.at("sizeof") || cursor_.at("_Alignof") || cursor_.at("alignof") || cursor_.at("_Generic"))
    cursor_.fail_here("unsupported " + describe(token));
  if (cursor_.accept("ATOMIC_VAR_INIT")) return parse_in_parentheses("after 'ATOMIC_VAR_INIT'");
  if (is_type_word(token.text)) cursor_.fail_expected("an expression");
  if (cursor_.at("(", 1) && !is_reserved(token.text)) return parse_call();
  const int variable = variables_.use(token.text, token.position);
  cursor_.next();
  return make_variable(variable, token.position);
}

}  // namespace ordeal::litmus
