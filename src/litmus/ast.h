// The abstract syntax of a litmus test, as herd's C dialect writes it.
//
// A test has memory locations with initial values, threads `P0`, `P1` … whose parameters are pointers to locations, and a
// condition on the final state. The parser produces this tree, checked: every name is resolved to an index, every memory
// order is legal for its operation. The interpreter and the oracle each give it a meaning of their own; they share
// nothing else.
//
// A parameter is a local variable whose initial value is the address of the location of the same name (or what the init
// section gives it). So memory is reached through addresses only: `atomic_load(x)` loads from the value of the local
// variable `x`, and pointers kept in memory need no rule of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::litmus {

using Value = std::int64_t;

/// The address of the location with index `location`, as a value. Addresses are far from the small numbers that tests use.
constexpr Value kAddressBase = Value{1} << 40;
constexpr Value address_of(int location) { return kAddressBase + (Value{location} << 8); }
/// The index of the location at `address`, or -1 if no location can be there. The caller checks the upper bound.
constexpr int location_at(Value address) {
  return address >= kAddressBase && (address - kAddressBase) % 256 == 0
             ? static_cast<int>((address - kAddressBase) >> 8)
             : -1;
}

struct Position {
  int line = 0;    // from 1
  int column = 0;  // from 1
};

/// `int`, `atomic_int*`, `volatile int*`, `bool`, `uint64_t` …; qualifiers belong to the innermost type.
struct Type {
  int bits = 32;
  bool is_signed = true;
  bool is_bool = false;
  bool is_atomic = false;
  bool is_volatile = false;
  int pointers = 0;  // levels of `*`

  /// The value that a variable of this type holds after `value` was assigned to it.
  Value convert(Value value) const {
    if (pointers > 0 || bits == 64) return value;
    if (is_bool) return value != 0;
    auto low = static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1);
    if (is_signed && (low >> (bits - 1) & 1) != 0) low |= ~((std::uint64_t{1} << bits) - 1);
    return static_cast<Value>(low);
  }
};

enum class Order : std::uint8_t { kPlain, kRelaxed, kConsume, kAcquire, kRelease, kAcqRel, kSeqCst };

enum class UnaryOp : std::uint8_t { kMinus, kBitNot, kLogicalNot };
enum class BinaryOp : std::uint8_t {
  kAdd, kSub, kMul, kDiv, kMod, kBitAnd, kBitOr, kBitXor, kShiftLeft, kShiftRight,
  kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual,
  kLogicalAnd,  // `a && b`: b is evaluated only if a is not 0
  kLogicalOr,   // `a || b`: b is evaluated only if a is 0
};
enum class RmwOp : std::uint8_t { kExchange, kAdd, kSub, kOr, kAnd, kXor };

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// An expression. Operands are evaluated from left to right, in the order of the fields; arithmetic is 64 bits wide and
/// wraps, division by zero gives 0, shifts use the low six bits of their count.
struct Expression {
  enum class Kind : std::uint8_t {
    kNumber,           // number
    kVariable,         // variable (a local or a parameter)
    kLocationAddress,  // the address of location `location`: `&x`
    kUnary,            // unary_op operand
    kBinary,           // operand binary_op second
    kConditional,      // operand ? second : third
    kLoad,             // *operand, order (kPlain for a plain access)
    kRmw,              // rmw_op on *operand with `second`, order; its value is the old one
    kCompareExchange,  // on *operand: expected value in *expected, desired `second`, orders `order` and `failure_order`;
                       // its value is 1 or 0. Success: memory becomes `second`. Failure: *expected becomes the value read
  };
  Kind kind = Kind::kNumber;
  Position position;
  Value number = 0;
  int variable = -1;
  int location = -1;
  UnaryOp unary_op = UnaryOp::kMinus;
  BinaryOp binary_op = BinaryOp::kAdd;
  RmwOp rmw_op = RmwOp::kExchange;
  Order order = Order::kPlain;
  Order failure_order = Order::kRelaxed;
  bool is_weak = false;  // a weak compare-exchange may fail although the values are equal
  ExpressionPtr operand;
  ExpressionPtr second;
  ExpressionPtr third;
  // Where a compare-exchange keeps its expected value: exactly one of these.
  //  - expected_variable: `&r`, a local variable;
  //  - expected_address: a pointer to a location (read plainly first; written plainly on failure).
  int expected_variable = -1;
  ExpressionPtr expected_address;
};

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  enum class Kind : std::uint8_t {
    kAssign,      // variable = expression (also a declaration with an initial value; converted to the variable's type)
    kStore,       // *address = expression, order (kPlain for a plain store); evaluated address first
    kEvaluate,    // expression; its value is dropped
    kFence,       // order
    kIf,          // if (expression) body else other
    kWhile,       // while (expression) body, then `step` after each turn (a `for` loop has one)
    kDoWhile,     // do body while (expression)
    kBlock,       // { body }
    kBreak,       // leaves the innermost loop
    kContinue,    // goes on with the next turn of the innermost loop (after its `step`)
    kReturn,      // ends the thread
  };
  Kind kind = Kind::kEvaluate;
  Position position;
  int variable = -1;
  Order order = Order::kPlain;
  ExpressionPtr address;
  ExpressionPtr expression;
  Block body;
  Block other;
  Block step;
};

/// A variable of a thread: a parameter or a local. Its initial value is `initial` (0 unless said otherwise).
/// Names are unique in a thread: where the source shadows a name, the outer one is listed under the plain name.
struct Variable {
  std::string name;
  Type type;
  bool is_parameter = false;
  Value initial = 0;
};

struct Thread {
  std::vector<Variable> variables;
  Block body;
  Position position;
};

struct Location {
  std::string name;
  Type type;          // the type of what is stored there: `atomic_int`, `int` …
  Value initial = 0;
};

/// What a condition or a `locations` list names: a variable of a thread, or a location (then thread is -1).
struct Observable {
  int thread = -1;
  int index = -1;  // variable or location
  bool operator==(const Observable&) const = default;
};

/// A proposition over the final state.
struct Proposition {
  enum class Kind : std::uint8_t { kTrue, kFalse, kAtom, kNot, kAnd, kOr, kImplies };
  enum class Comparison : std::uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual };
  Kind kind = Kind::kTrue;
  Observable left;                          // of an atom
  Comparison comparison = Comparison::kEqual;
  std::optional<Observable> right;          // of an atom that compares with another observable; else `number`
  Value number = 0;
  std::vector<Proposition> operands;        // one for kNot, two or more for kAnd and kOr, two for kImplies
};

enum class Quantifier : std::uint8_t { kExists, kNotExists, kForall };

/// What the reader of a test should know, though it is no error.
struct Note {
  Position position;
  std::string message;
};

struct Test {
  std::string name;
  std::string file;
  std::vector<Location> locations;
  std::vector<Thread> threads;
  std::vector<Observable> shown;            // the `locations [...]` list
  std::optional<Proposition> filter;        // executions that do not satisfy it are left out
  Quantifier quantifier = Quantifier::kForall;
  Proposition condition;
  Position condition_position;              // line 0: the file has none
  std::string condition_text;               // as printed behind "Condition": `exists (0:r0=1 /\ 1:r1=0)`
  std::vector<Note> notes;                  // in the order of the file

  /// All that a final state shows: what the condition or `shown` names, without repetition; thread variables first, by
  /// thread and then name, then locations by name.
  std::vector<Observable> observables() const;
  /// "0:r0" or "x".
  std::string name_of(const Observable& observable) const;
};

/// Whether `proposition` holds where `value_of(observable)` gives the final values.
template <class ValueOf>
bool holds(const Proposition& proposition, const ValueOf& value_of) {
  using Kind = Proposition::Kind;
  using Comparison = Proposition::Comparison;
  switch (proposition.kind) {
    case Kind::kTrue: return true;
    case Kind::kFalse: return false;
    case Kind::kNot: return !holds(proposition.operands[0], value_of);
    case Kind::kImplies: return !holds(proposition.operands[0], value_of) || holds(proposition.operands[1], value_of);
    case Kind::kAnd:
      for (const auto& operand : proposition.operands)
        if (!holds(operand, value_of)) return false;
      return true;
    case Kind::kOr:
      for (const auto& operand : proposition.operands)
        if (holds(operand, value_of)) return true;
      return false;
    case Kind::kAtom: break;
  }
  const Value left = value_of(proposition.left);
  const Value right = proposition.right ? value_of(*proposition.right) : proposition.number;
  switch (proposition.comparison) {
    case Comparison::kEqual: return left == right;
    case Comparison::kNotEqual: return left != right;
    case Comparison::kLess: return left < right;
    case Comparison::kLessEqual: return left <= right;
    case Comparison::kGreater: return left > right;
    case Comparison::kGreaterEqual: return left >= right;
  }
  return false;
}

}  // namespace ordeal::litmus
