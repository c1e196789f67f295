// The part of ExpressionParser that reads calls of <stdatomic.h>.
#include <algorithm>
#include <string>
#include <utility>

#include "litmus/expression_parser.h"

namespace ordeal::litmus {
namespace {

using CallKind = AtomicCall::Kind;

std::string quoted(const AtomicCallName& call) { return "'" + call.full + "'"; }

}  // namespace

bool ExpressionParser::at_effect() const {
  if (!cursor_.at_name() || !cursor_.at("(", 1)) return false;
  const auto call = find_atomic_call(cursor_.peek().text);
  return call && !call->call.has_value();
}

void ExpressionParser::parse_effect(Block& out) {
  const Token& name = cursor_.next();
  const AtomicCallName call = *find_atomic_call(name.text);
  cursor_.expect("(", "after " + quoted(call));
  Statement statement;
  statement.position = name.position;
  const CallKind kind = call.call.kind;
  if (kind == CallKind::kThreadFence || kind == CallKind::kSignalFence) {
    statement.kind = Statement::Kind::kFence;
    statement.order = parse_order(OrderRule::kAny);
    end_call(call);
    // A relaxed fence has no effect: [atomics.fences]p5. A signal fence orders nothing between threads.
    if (kind == CallKind::kThreadFence && statement.order != Order::kRelaxed) out.push_back(std::move(statement));
    return;
  }
  statement.kind = Statement::Kind::kStore;
  statement.address = parse_argument().node;
  if (kind == CallKind::kFlagClear) {
    statement.expression = make_number(0, name.position).node;
  } else {
    parse_comma(call);
    statement.expression = parse_argument().node;
  }
  statement.order = kind == CallKind::kInit ? Order::kPlain : parse_order_argument(call, OrderRule::kStore);
  end_call(call);
  out.push_back(std::move(statement));
}

TypedExpression ExpressionParser::parse_call() {
  const Token& name = cursor_.peek();
  const auto call = find_atomic_call(name.text);
  if (!call) cursor_.fail(name.position, unsupported_call(name.text));
  if (!call->call.has_value()) cursor_.fail(name.position, quoted(*call) + " has no value");
  cursor_.next();
  cursor_.expect("(", "after " + quoted(*call));
  return parse_value_call(*call, name.position);
}

TypedExpression ExpressionParser::parse_value_call(const AtomicCallName& call, Position position) {
  if (call.call.kind == CallKind::kCompareExchange) return parse_compare_exchange(call, position);
  TypedExpression address = parse_argument();
  if (call.call.kind == CallKind::kLoad) {
    const SourceType type = address.type.pointee().promoted();
    TypedExpression made = make_node(Expression::Kind::kLoad, position, type, address.height + 1);
    made.node->operand = std::move(address.node);
    made.node->order = parse_order_argument(call, OrderRule::kLoad);
    end_call(call);
    return made;
  }
  TypedExpression operand;
  if (call.call.kind == CallKind::kFlagTestAndSet) {
    operand = make_number(1, position);
  } else {
    parse_comma(call);
    operand = parse_argument();
  }
  const Order order = parse_order_argument(call, OrderRule::kAny);
  end_call(call);
  return make_rmw(call.call.rmw_op, std::move(address), std::move(operand), order, position);
}

TypedExpression ExpressionParser::parse_compare_exchange(const AtomicCallName& call, Position position) {
  TypedExpression address = parse_argument();
  TypedExpression made = make_node(Expression::Kind::kCompareExchange, position, integer_type(32), address.height + 1);
  parse_comma(call);
  parse_expected(made, address.type.pointee());
  parse_comma(call);
  TypedExpression desired = parse_argument();
  made.height = std::max(made.height, desired.height + 1);
  made.node->operand = std::move(address.node);
  made.node->second = std::move(desired.node);
  made.node->is_weak = call.call.is_weak;
  made.node->order = parse_order_argument(call, OrderRule::kAny);
  made.node->failure_order = parse_order_argument(call, OrderRule::kFailure);
  end_call(call);
  check_height(made.height, position);
  return made;
}

/// `&r`, a local variable, or a pointer.
void ExpressionParser::parse_expected(TypedExpression& compare_exchange, const SourceType& object) {
  const Token& name = cursor_.peek(1);
  const bool is_name = cursor_.at("&") && cursor_.at_name(1) && cursor_.at(",", 2);
  if (is_name && (variables_.is_known(name.text) || locations_.find(name.text) < 0)) {
    const int variable = variables_.use(name.text, name.position);
    if (!variables_.is_pointer_parameter(variable)) {
      cursor_.next();
      cursor_.next();
      variables_.note_assignment(variable, object);
      compare_exchange.node->expected_variable = variable;
      return;
    }
  }
  const Position position = cursor_.position();
  TypedExpression address = parse_argument();
  if (!address.type.is_pointer())
    cursor_.fail(position, "expected a pointer to the expected value: '&r' for a local variable 'r', or a pointer");
  compare_exchange.height = std::max(compare_exchange.height, address.height + 2);  // it may be printed with a cast
  compare_exchange.node->expected_address = std::move(address.node);
}

TypedExpression ExpressionParser::parse_argument() {
  if (cursor_.at(")") || cursor_.at(",")) cursor_.fail_expected("an argument");
  TypedExpression argument = parse();
  refuse_assignment();
  return argument;
}

void ExpressionParser::parse_comma(const AtomicCallName& call) {
  if (cursor_.at(")")) cursor_.fail_here("too few arguments for " + quoted(call));
  cursor_.expect(",", "between the arguments of " + quoted(call));
}

void ExpressionParser::end_call(const AtomicCallName& call) {
  if (cursor_.at(",")) cursor_.fail_here("too many arguments for " + quoted(call));
  cursor_.expect(")", "after the arguments of " + quoted(call));
}

Order ExpressionParser::parse_order_argument(const AtomicCallName& call, OrderRule rule) {
  if (!call.is_explicit) return Order::kSeqCst;
  parse_comma(call);
  return parse_order(rule);
}

Order ExpressionParser::parse_order(OrderRule rule) {
  if (cursor_.at("memory_order") && cursor_.at("::", 1)) {
    cursor_.next();
    cursor_.next();
  }
  const Token& token = cursor_.peek();
  const auto order = token.kind == TokenKind::kName ? find_order(token.text) : std::nullopt;
  if (!order) cursor_.fail_expected("a memory order");
  cursor_.next();
  const Order fitting = fitting_order(rule, *order);
  if (fitting != *order) cursor_.note(token.position, order_note(rule, *order));
  return fitting;
}

}  // namespace ordeal::litmus
