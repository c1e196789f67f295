#include "litmus/statement_parser.h"

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace ordeal::litmus {
namespace {

using Kind = Statement::Kind;

Statement make_statement(Kind kind, Position position) {
  Statement statement;
  statement.kind = kind;
  statement.position = position;
  return statement;
}

/// The operator of `+=` and the like.
std::optional<BinaryOp> update_operator(const Token& token) {
  if (token.kind != TokenKind::kPunctuation) return std::nullopt;
  if (token.text == "+=") return BinaryOp::kAdd;
  if (token.text == "-=") return BinaryOp::kSub;
  if (token.text == "*=") return BinaryOp::kMul;
  if (token.text == "/=") return BinaryOp::kDiv;
  if (token.text == "%=") return BinaryOp::kMod;
  if (token.text == "|=") return BinaryOp::kBitOr;
  if (token.text == "&=") return BinaryOp::kBitAnd;
  if (token.text == "^=") return BinaryOp::kBitXor;
  if (token.text == "<<=") return BinaryOp::kShiftLeft;
  if (token.text == ">>=") return BinaryOp::kShiftRight;
  return std::nullopt;
}

std::optional<RmwOp> rmw_operator(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd: return RmwOp::kAdd;
    case BinaryOp::kSub: return RmwOp::kSub;
    case BinaryOp::kBitOr: return RmwOp::kOr;
    case BinaryOp::kBitAnd: return RmwOp::kAnd;
    case BinaryOp::kBitXor: return RmwOp::kXor;
    default: return std::nullopt;
  }
}

}  // namespace

Block StatementParser::parse_body() {
  Block body;
  parse_statements(body);
  return body;
}

void StatementParser::parse_statements(Block& out) {
  while (!cursor_.at("}")) {
    if (cursor_.peek().kind == TokenKind::kEnd) cursor_.fail_expected("'}' to close a block");
    parse_statement(out);
  }
  cursor_.next();
}

void StatementParser::parse_statement(Block& out) {
  if (cursor_.accept(";")) return;
  if (cursor_.at("{")) return parse_block(out);
  if (cursor_.at_name()) {
    refuse_unsupported();
    if (is_type_word(cursor_.peek().text)) return parse_declaration(out);
    if (is_reserved(cursor_.peek().text)) return parse_keyword(out);
  }
  parse_simple_list(out);
  cursor_.expect(";", "after the statement");
}

void StatementParser::parse_keyword(Block& out) {
  if (cursor_.at("if")) return parse_if(out);
  if (cursor_.at("while")) return parse_while(out);
  if (cursor_.at("do")) return parse_do(out);
  if (cursor_.at("for")) return parse_for(out);
  if (cursor_.at("return")) return parse_return(out);
  if (cursor_.at("break")) return parse_jump(out, Kind::kBreak);
  if (cursor_.at("continue")) return parse_jump(out, Kind::kContinue);
  if (cursor_.at("else")) cursor_.fail_here("'else' without 'if'");
  parse_simple_list(out);
  cursor_.expect(";", "after the statement");
}

void StatementParser::refuse_unsupported() const {
  static const std::unordered_set<std::string_view> kWords = {"goto",  "switch",  "case",    "default", "asm",
                                                              "__asm", "__asm__", "typedef", "try",     "throw"};
  const Token& token = cursor_.peek();
  if (kWords.contains(token.text)) cursor_.fail_here("unsupported " + describe(token));
  if (cursor_.at(":", 1)) cursor_.fail_here("unsupported label " + describe(token));
}

Block StatementParser::parse_governed() {
  const Nesting nesting(depth_, cursor_, "statements");
  variables_.enter_block();
  Block body;
  if (cursor_.accept("{")) {
    parse_statements(body);
  } else {
    parse_statement(body);
  }
  variables_.leave_block();
  return body;
}

void StatementParser::parse_block(Block& out) {
  Statement block = make_statement(Kind::kBlock, cursor_.position());
  block.body = parse_governed();
  out.push_back(std::move(block));
}

void StatementParser::parse_if(Block& out) {
  Statement statement = make_statement(Kind::kIf, cursor_.next().position);
  statement.expression = expressions_.parse_in_parentheses("after 'if'").node;
  statement.body = parse_governed();
  if (cursor_.accept("else")) statement.other = parse_governed();
  out.push_back(std::move(statement));
}

void StatementParser::parse_while(Block& out) {
  Statement loop = make_statement(Kind::kWhile, cursor_.next().position);
  loop.expression = expressions_.parse_in_parentheses("after 'while'").node;
  ++loops_;
  loop.body = parse_governed();
  --loops_;
  out.push_back(std::move(loop));
}

void StatementParser::parse_do(Block& out) {
  Statement loop = make_statement(Kind::kDoWhile, cursor_.next().position);
  ++loops_;
  loop.body = parse_governed();
  --loops_;
  cursor_.expect("while", "after the body of 'do'");
  loop.expression = expressions_.parse_in_parentheses("after 'while'").node;
  cursor_.expect(";", "after 'do … while'");
  out.push_back(std::move(loop));
}

/// The first part of a `for` comes before the loop, in the same block.
void StatementParser::parse_for(Block& out) {
  Statement loop = make_statement(Kind::kWhile, cursor_.next().position);
  cursor_.expect("(", "after 'for'");
  variables_.enter_block();
  if (cursor_.at_name() && is_type_word(cursor_.peek().text)) {
    parse_declaration(out);
  } else {
    if (!cursor_.at(";")) parse_simple_list(out);
    cursor_.expect(";", "after the first part of 'for'");
  }
  loop.expression = cursor_.at(";") ? expressions_.make_number(1, loop.position).node : expressions_.parse().node;
  cursor_.expect(";", "after the condition of 'for'");
  if (!cursor_.at(")")) parse_simple_list(loop.step);
  cursor_.expect(")", "after the last part of 'for'");
  ++loops_;
  loop.body = parse_governed();
  --loops_;
  variables_.leave_block();
  out.push_back(std::move(loop));
}

void StatementParser::parse_return(Block& out) {
  const Position position = cursor_.next().position;
  if (!cursor_.at(";")) evaluate(out, expressions_.parse(), position);
  cursor_.expect(";", "after 'return'");
  out.push_back(make_statement(Kind::kReturn, position));
}

void StatementParser::parse_jump(Block& out, Kind kind) {
  const Token& keyword = cursor_.next();
  if (loops_ == 0) cursor_.fail(keyword.position, describe(keyword) + " outside of a loop");
  cursor_.expect(";", "after " + describe(keyword));
  out.push_back(make_statement(kind, keyword.position));
}

void StatementParser::parse_declaration(Block& out) {
  const SourceType base = parse_base_type(cursor_);
  do {
    const SourceType type = parse_pointers(cursor_, base);
    const Token& name = cursor_.expect_name("a variable name");
    if (cursor_.at("[")) cursor_.fail_here("unsupported array");
    if (cursor_.at("(")) cursor_.fail(name.position, "unsupported function " + describe(name));
    if (type.is_void && !type.is_pointer()) cursor_.fail(name.position, "a variable cannot be of type 'void'");
    if (!cursor_.accept("=")) {
      variables_.declare(name.text, type, name.position);
      continue;
    }
    if (cursor_.at("{")) cursor_.fail_here("unsupported array or structure");
    TypedExpression value = expressions_.parse();  // before the name is declared: the outer one may occur in it
    expressions_.refuse_assignment();
    const int variable = variables_.declare(name.text, type, name.position);
    assign(out, expressions_.make_variable(variable, name.position), std::move(value), name.position);
  } while (cursor_.accept(","));
  cursor_.expect(";", "after the declaration");
}

void StatementParser::parse_simple_list(Block& out) {
  do parse_simple(out);
  while (cursor_.accept(","));
}

void StatementParser::parse_simple(Block& out) {
  while (cursor_.at("(") && cursor_.at("void", 1) && cursor_.at(")", 2)) cursor_.seek(cursor_.index() + 3);
  const Position position = cursor_.position();
  if (expressions_.at_effect()) return expressions_.parse_effect(out);
  if (cursor_.at("++") || cursor_.at("--")) {
    const BinaryOp op = cursor_.next().text == "++" ? BinaryOp::kAdd : BinaryOp::kSub;
    return update(out, expressions_.parse(), op, expressions_.make_number(1, position), position);
  }
  TypedExpression first = expressions_.parse_statement_start();
  const Token& token = cursor_.peek();
  if (cursor_.accept("++")) {
    update(out, std::move(first), BinaryOp::kAdd, expressions_.make_number(1, position), position);
  } else if (cursor_.accept("--")) {
    update(out, std::move(first), BinaryOp::kSub, expressions_.make_number(1, position), position);
  } else if (const auto op = update_operator(token)) {
    cursor_.next();
    update(out, std::move(first), *op, expressions_.parse(), position);
  } else if (cursor_.accept("=")) {
    assign(out, std::move(first), expressions_.parse(), position);
  } else {
    evaluate(out, std::move(first), position);
  }
  expressions_.refuse_assignment();
}

/// `target op= operand`: a load and a store. Where `*target` is a seq_cst access, one read-modify-write (C11 6.5.16.2p3).
void StatementParser::update(Block& out, TypedExpression target, BinaryOp op, TypedExpression operand,
                             Position position) {
  if (!target.is_lvalue) cursor_.fail(position, "cannot assign to this expression");
  if (target.node->kind == Expression::Kind::kVariable) {
    TypedExpression old = expressions_.make_variable(target.node->variable, position);
    TypedExpression value = expressions_.make_binary(op, std::move(old), std::move(operand), position);
    return assign(out, std::move(target), std::move(value), position);
  }
  TypedExpression address;
  address.node = std::move(target.node->operand);
  address.type = target.type.pointer_to();
  address.height = target.height - 1;
  if (target.node->order == Order::kSeqCst) {
    const auto rmw = rmw_operator(op);
    if (!rmw) cursor_.fail(position, "unsupported atomic update (only +=, -=, |=, &=, ^=, ++ and --)");
    return evaluate(out, expressions_.make_rmw(*rmw, std::move(address), std::move(operand), Order::kSeqCst, position),
                    position);
  }
  TypedExpression again = make_repeatable(out, address);
  TypedExpression old = expressions_.make_dereference(std::move(again), position);
  TypedExpression value = expressions_.make_binary(op, std::move(old), std::move(operand), position);
  assign(out, expressions_.make_dereference(std::move(address), position), std::move(value), position);
}

/// A second copy of `address`. One that is more than a name is evaluated once, into a variable.
TypedExpression StatementParser::make_repeatable(Block& out, TypedExpression& address) {
  const Position position = address.node->position;
  if (address.node->kind != Expression::Kind::kVariable) {
    const int variable = variables_.add_temporary(address.type);
    assign(out, expressions_.make_variable(variable, position), std::move(address), position);
    address = expressions_.make_variable(variable, position);
  }
  TypedExpression copy = expressions_.make_variable(address.node->variable, position);
  copy.type = address.type;
  return copy;
}

void StatementParser::assign(Block& out, TypedExpression target, TypedExpression value, Position position) {
  if (!target.is_lvalue) cursor_.fail(position, "cannot assign to this expression");
  if (target.node->kind == Expression::Kind::kVariable) {
    Statement statement = make_statement(Kind::kAssign, position);
    statement.variable = target.node->variable;
    statement.expression = std::move(value.node);
    variables_.note_assignment(statement.variable, value.type);
    out.push_back(std::move(statement));
    return;
  }
  Statement statement = make_statement(Kind::kStore, position);
  statement.order = target.node->order;
  statement.address = std::move(target.node->operand);
  statement.expression = std::move(value.node);
  out.push_back(std::move(statement));
}

void StatementParser::evaluate(Block& out, TypedExpression expression, Position position) {
  Statement statement = make_statement(Kind::kEvaluate, position);
  statement.expression = std::move(expression.node);
  out.push_back(std::move(statement));
}

}  // namespace ordeal::litmus
