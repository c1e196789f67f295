// Expressions of a thread, and the calls of <stdatomic.h>.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "litmus/ast.h"
#include "litmus/atomic_call.h"
#include "litmus/location_table.h"
#include "litmus/parser.h"
#include "litmus/source_type.h"
#include "litmus/token_cursor.h"
#include "litmus/variable_scope.h"

namespace ordeal::litmus {

struct TypedExpression {
  ExpressionPtr node;
  SourceType type;
  int height = 1;          // of the tree
  bool is_lvalue = false;  // a variable, or `*p`
};

class ExpressionParser {
 public:
  /// REQUIRES: all outlive the parser.
  ExpressionParser(TokenCursor& cursor, VariableScope& variables, const LocationTable& locations,
                   const ParseOptions& options)
      : cursor_(cursor), variables_(variables), locations_(locations), options_(options) {}

  /// An expression without assignments and commas.
  TypedExpression parse();
  /// The same at the start of a statement: `r++` and `(*x)--` may follow, and are left to the caller.
  TypedExpression parse_statement_start();
  /// `(` expression `)`; `what` completes "expected '(' after …".
  TypedExpression parse_in_parentheses(std::string_view what);

  /// Fails if an assignment follows what was read.
  void refuse_assignment() const;

  /// Whether a call stands here that has no value: a store, a fence …
  bool at_effect() const;
  /// REQUIRES: at_effect(). Adds what the call does to `out`.
  void parse_effect(Block& out);

  TypedExpression make_number(Value number, Position position) const;
  TypedExpression make_variable(int variable, Position position) const;
  TypedExpression make_binary(BinaryOp op, TypedExpression left, TypedExpression right, Position position) const;
  /// `*address`.
  TypedExpression make_dereference(TypedExpression address, Position position) const;
  TypedExpression make_rmw(RmwOp op, TypedExpression address, TypedExpression operand, Order order,
                           Position position) const;

 private:
  struct Prefix {
    Position position;
    char kind = ' ';  // one of - ~ ! * & or ( for a cast
    SourceType cast;
  };

  TypedExpression parse_binary(int minimum_precedence);
  TypedExpression parse_unary();
  std::vector<Prefix> parse_prefixes();
  TypedExpression apply(const Prefix& prefix, TypedExpression operand) const;
  TypedExpression parse_postfix(bool has_prefix);
  TypedExpression parse_primary();
  TypedExpression parse_name();
  TypedExpression parse_parenthesised();
  void refuse_comma() const;

  void check_height(int height, Position position) const;
  TypedExpression make_node(Expression::Kind kind, Position position, const SourceType& type, int height) const;
  TypedExpression make_unary(UnaryOp op, TypedExpression operand, Position position) const;
  TypedExpression make_conditional(TypedExpression condition, TypedExpression second, TypedExpression third,
                                   Position position) const;
  TypedExpression make_address(TypedExpression operand, Position position) const;
  TypedExpression make_cast(const SourceType& type, TypedExpression operand, Position position) const;

  // atomic_call_parser.cpp
  TypedExpression parse_call();
  TypedExpression parse_value_call(const AtomicCallName& call, Position position);
  TypedExpression parse_compare_exchange(const AtomicCallName& call, Position position);
  void parse_expected(TypedExpression& compare_exchange, const SourceType& object);
  TypedExpression parse_argument();
  void parse_comma(const AtomicCallName& call);
  void end_call(const AtomicCallName& call);
  /// `, order` of an explicit call, seq_cst of another one.
  Order parse_order_argument(const AtomicCallName& call, OrderRule rule);
  Order parse_order(OrderRule rule);

  TokenCursor& cursor_;
  VariableScope& variables_;
  const LocationTable& locations_;
  const ParseOptions& options_;
  int depth_ = 0;
  std::size_t statement_start_ = static_cast<std::size_t>(-1);
};

}  // namespace ordeal::litmus
