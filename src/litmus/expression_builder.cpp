// The part of ExpressionParser that makes nodes and gives them types.
#include <algorithm>
#include <string>
#include <utility>

#include "litmus/expression_parser.h"

namespace ordeal::litmus {
namespace {

using Kind = Expression::Kind;

bool is_comparison(BinaryOp op) { return op >= BinaryOp::kEqual; }

/// The type of an arithmetic expression, by C's usual conversions.
SourceType common_type(const SourceType& left, const SourceType& right) {
  const SourceType a = left.promoted();
  const SourceType b = right.promoted();
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  return a.is_signed ? b : a;
}

SourceType binary_type(BinaryOp op, const SourceType& left, const SourceType& right) {
  if (is_comparison(op)) return integer_type(32);
  if (op == BinaryOp::kSub && left.is_pointer() && right.is_pointer()) return integer_type(64);
  if (op == BinaryOp::kAdd || op == BinaryOp::kSub) {
    if (left.is_pointer()) return left.promoted();
    if (right.is_pointer()) return right.promoted();
  }
  if (left.is_pointer() || right.is_pointer()) return integer_type(64);
  if (op == BinaryOp::kShiftLeft || op == BinaryOp::kShiftRight) return left.promoted();
  return common_type(left, right);
}

/// Whether the value of `operand` is known to lie in the range of its type. Arithmetic is 64 bits wide, so it need not.
bool is_in_range(const Expression& operand, const VariableScope& variables) {
  if (operand.kind == Kind::kVariable) return variables.is_declared(operand.variable);
  return operand.kind == Kind::kLoad || operand.kind == Kind::kRmw;
}

/// Whether the value of `operand` is 0 or 1.
bool is_truth_value(const Expression& operand) {
  return (operand.kind == Kind::kBinary && is_comparison(operand.binary_op)) ||
         operand.kind == Kind::kCompareExchange ||
         (operand.kind == Kind::kUnary && operand.unary_op == UnaryOp::kLogicalNot);
}

/// Whether every value of the integer type `from` is one of `to`.
bool is_subrange(const SourceType& from, const SourceType& to) {
  if (from.is_bool) return true;
  if (to.is_bool) return false;
  if (from.is_signed == to.is_signed) return from.bits <= to.bits;
  return to.is_signed && from.bits < to.bits;
}

}  // namespace

/// A tree is printed with at most one level of parentheses more than its height, and must be readable then.
void ExpressionParser::check_height(int height, Position position) const {
  if (height >= kMaximumNesting)
    cursor_.fail(position, "expressions nested too deeply (more than " + std::to_string(kMaximumNesting) + " levels)");
}

TypedExpression ExpressionParser::make_node(Kind kind, Position position, const SourceType& type, int height) const {
  check_height(height, position);
  TypedExpression made;
  made.node = std::make_unique<Expression>();
  made.node->kind = kind;
  made.node->position = position;
  made.type = type;
  made.height = height;
  return made;
}

TypedExpression ExpressionParser::make_number(Value number, Position position) const {
  const bool is_narrow = number >= INT32_MIN && number <= INT32_MAX;
  TypedExpression made = make_node(Kind::kNumber, position, integer_type(is_narrow ? 32 : 64), 1);
  made.node->number = number;
  return made;
}

TypedExpression ExpressionParser::make_variable(int variable, Position position) const {
  TypedExpression made = make_node(Kind::kVariable, position, variables_.type(variable), 1);
  made.node->variable = variable;
  made.is_lvalue = true;
  return made;
}

TypedExpression ExpressionParser::make_unary(UnaryOp op, TypedExpression operand, Position position) const {
  const SourceType type = op == UnaryOp::kLogicalNot ? integer_type(32) : operand.type.promoted();
  TypedExpression made = make_node(Kind::kUnary, position, type, operand.height + 1);
  made.node->unary_op = op;
  made.node->operand = std::move(operand.node);
  return made;
}

TypedExpression ExpressionParser::make_binary(BinaryOp op, TypedExpression left, TypedExpression right,
                                              Position position) const {
  TypedExpression made = make_node(Kind::kBinary, position, binary_type(op, left.type, right.type),
                                   std::max(left.height, right.height) + 1);
  made.node->binary_op = op;
  made.node->operand = std::move(left.node);
  made.node->second = std::move(right.node);
  return made;
}

TypedExpression ExpressionParser::make_conditional(TypedExpression condition, TypedExpression second,
                                                   TypedExpression third, Position position) const {
  SourceType type = common_type(second.type, third.type);
  if (third.type.is_pointer()) type = third.type.promoted();
  if (second.type.is_pointer()) type = second.type.promoted();
  const int height = std::max({condition.height, second.height, third.height}) + 1;
  TypedExpression made = make_node(Kind::kConditional, position, type, height);
  made.node->operand = std::move(condition.node);
  made.node->second = std::move(second.node);
  made.node->third = std::move(third.node);
  return made;
}

TypedExpression ExpressionParser::make_dereference(TypedExpression address, Position position) const {
  const SourceType object = address.type.pointee();
  TypedExpression made = make_node(Kind::kLoad, position, object, address.height + 1);
  const bool is_atomic = options_.atomic_dereference == AtomicDereference::kSeqCst && object.is_atomic_object();
  made.node->order = is_atomic ? Order::kSeqCst : Order::kPlain;  // C11 6.2.6.1p9, 6.5.16.2p3
  made.node->operand = std::move(address.node);
  made.is_lvalue = true;
  return made;
}

/// `&*p` is p; `&x` is x for a parameter, which stands for its location.
TypedExpression ExpressionParser::make_address(TypedExpression operand, Position position) const {
  if (operand.is_lvalue && operand.node->kind == Kind::kLoad) {
    TypedExpression made;
    made.type = operand.type.pointer_to();
    made.height = operand.height - 1;
    made.node = std::move(operand.node->operand);
    return made;
  }
  if (operand.is_lvalue && operand.node->kind == Kind::kVariable) {
    if (variables_.is_pointer_parameter(operand.node->variable)) {
      operand.is_lvalue = false;
      return operand;
    }
    cursor_.fail(position,
                 "unsupported address of a local variable (only as the expected value of a compare-exchange)");
  }
  cursor_.fail(position, "cannot take the address of this expression");
}

TypedExpression ExpressionParser::make_rmw(RmwOp op, TypedExpression address, TypedExpression operand, Order order,
                                           Position position) const {
  TypedExpression made =
      make_node(Kind::kRmw, position, address.type.pointee().promoted(), std::max(address.height, operand.height) + 1);
  made.node->rmw_op = op;
  made.node->order = order;
  made.node->operand = std::move(address.node);
  made.node->second = std::move(operand.node);
  return made;
}

/// The tree has no casts: a conversion is written out as arithmetic, where it can change the value.
TypedExpression ExpressionParser::make_cast(const SourceType& type, TypedExpression operand, Position position) const {
  const SourceType from = operand.type;
  operand.is_lvalue = false;
  operand.type = type;
  if (type.is_pointer() || type.is_void || (type.bits == 64 && !type.is_bool)) return operand;
  if (operand.node->kind == Kind::kNumber) {
    operand.node->number = type.type().convert(operand.node->number);
    return operand;
  }
  if (is_truth_value(*operand.node)) return operand;
  if (is_in_range(*operand.node, variables_) && !from.is_pointer() && is_subrange(from, type)) return operand;
  const auto with = [&](BinaryOp op, TypedExpression left, Value number) {
    return make_binary(op, std::move(left), make_number(number, position), position);
  };
  TypedExpression made;
  if (type.is_bool) {
    made = with(BinaryOp::kNotEqual, std::move(operand), 0);
  } else {
    const Value sign = Value{1} << (type.bits - 1);
    made = with(BinaryOp::kBitAnd, std::move(operand), 2 * sign - 1);
    if (type.is_signed) {  // sign extension: flip the sign bit, then subtract it
      made = with(BinaryOp::kBitXor, std::move(made), sign);
      made = with(BinaryOp::kSub, std::move(made), sign);
    }
  }
  made.type = type;
  return made;
}

}  // namespace ordeal::litmus
