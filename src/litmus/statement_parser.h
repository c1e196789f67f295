// Statements of a thread.
#pragma once

#include <optional>

#include "litmus/ast.h"
#include "litmus/expression_parser.h"
#include "litmus/token_cursor.h"
#include "litmus/variable_scope.h"

namespace ordeal::litmus {

class StatementParser {
 public:
  /// REQUIRES: all outlive the parser.
  StatementParser(TokenCursor& cursor, VariableScope& variables, ExpressionParser& expressions)
      : cursor_(cursor), variables_(variables), expressions_(expressions) {}

  /// Reads what follows the `{` of a thread, up to and with its `}`.
  Block parse_body();

 private:
  void parse_statements(Block& out);
  void parse_statement(Block& out);
  void parse_keyword(Block& out);
  void refuse_unsupported() const;
  /// What `if`, `else` or a loop governs.
  Block parse_governed();
  void parse_block(Block& out);
  void parse_if(Block& out);
  void parse_while(Block& out);
  void parse_do(Block& out);
  void parse_for(Block& out);
  void parse_return(Block& out);
  void parse_jump(Block& out, Statement::Kind kind);
  void parse_declaration(Block& out);
  /// Assignments, calls and other expressions, separated by commas.
  void parse_simple_list(Block& out);
  void parse_simple(Block& out);
  void update(Block& out, TypedExpression target, BinaryOp op, TypedExpression operand, Position position);
  void assign(Block& out, TypedExpression target, TypedExpression value, Position position);
  void evaluate(Block& out, TypedExpression expression, Position position);
  TypedExpression make_repeatable(Block& out, TypedExpression& address);

  TokenCursor& cursor_;
  VariableScope& variables_;
  ExpressionParser& expressions_;
  int depth_ = 0;
  int loops_ = 0;
};

}  // namespace ordeal::litmus
