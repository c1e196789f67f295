#include <gtest/gtest.h>

#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

/// The tree of an expression over the locals a, b, c (int), u (unsigned), l (long).
std::string tree(const std::string& expression, const ParseOptions& options = {}) {
  const std::string text = body_of("int a, b, c; unsigned u; long l; r = " + expression + ";", options);
  return text.substr(4);
}

TEST(Expressions, HaveThePrecedencesOfC) {
  EXPECT_EQ(tree("a || b && c | a ^ b & c == a < b << c + a * b"),
            "(|| a (&& b (| c (^ a (& b (== c (< a (<< b (+ c (* a b))))))))))");
  EXPECT_EQ(tree("a * b + c << a < b == c & a ^ b | c && a || b"),
            "(|| (&& (| (^ (& (== (< (<< (+ (* a b) c) a) b) c) a) b) c) a) b)");
}

TEST(Expressions, AssociateToTheLeft) {
  EXPECT_EQ(tree("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(tree("a / b * c % a"), "(% (* (/ a b) c) a)");
  EXPECT_EQ(tree("a << b >> c"), "(>> (<< a b) c)");
  EXPECT_EQ(tree("a < b <= c > a >= b"), "(>= (> (<= (< a b) c) a) b)");
  EXPECT_EQ(tree("a == b != c"), "(!= (== a b) c)");
  EXPECT_EQ(tree("a - (b - c)"), "(- a (- b c))");
}

TEST(Expressions, UnaryOperatorsBindTightly) {
  EXPECT_EQ(tree("-a * ~b + !c"), "(+ (* (- a) (~ b)) (! c))");
  EXPECT_EQ(tree("- -a - -1 + +2"), "(+ (- (- (- a)) -1) 2)");
  EXPECT_EQ(tree("-(5)"), "(- 5)");
  EXPECT_EQ(tree("!!a"), "(! (! a))");
}

TEST(Expressions, ConditionalsAssociateToTheRight) {
  EXPECT_EQ(tree("a ? b : c ? 1 : 2"), "(? a b (? c 1 2))");
  EXPECT_EQ(tree("a ? b ? 1 : 2 : 3"), "(? a (? b 1 2) 3)");
  EXPECT_EQ(tree("a == 1 ? b + 1 : c || a"), "(? (== a 1) (+ b 1) (|| c a))");
}

TEST(Expressions, ConstantsHaveNames) {
  EXPECT_EQ(tree("true + false"), "(+ 1 0)");
  EXPECT_EQ(tree("NULL"), "0");
}

TEST(Expressions, DereferencesFollowThePointer) {
  EXPECT_EQ(tree("*z + *(z) * *(int*)x"), "(+ load[plain](z) (* load[plain](z) load[plain](x)))");
  EXPECT_EQ(tree("*(z + (a ^ a))"), "load[plain]((+ z (^ a a)))");
  EXPECT_EQ(tree("*(x + (a ^ a))"), "load[plain]((+ x (^ a a)))");
  EXPECT_EQ(tree("*(x + (a ^ a))", kAsInC), "load[sc]((+ x (^ a a)))");
  EXPECT_EQ(tree("*(a ? x : y)", kAsInC), "load[sc]((? a x y))");
  EXPECT_EQ(tree("*(int*)x", kAsInC), "load[plain](x)");
  EXPECT_EQ(tree("*a"), "load[plain](a)");
  EXPECT_EQ(tree("*&*z"), "load[plain](z)");
}

TEST(Expressions, AddressesOfLocations) {
  const LitmusTest test =
      parse_test("C t { a = 0; atomic_int b; } P0 (int* c) { r0 = &a; r1 = *&b; r2 = &c; r3 = *(&a); }");
  EXPECT_EQ(Dumper(test, test.threads[0]).dump(test.threads[0].body),
            "r0 = &a; r1 = load[plain](&b); r2 = c; r3 = load[plain](&a)");
}

TEST(Expressions, CastsConvert) {
  EXPECT_EQ(tree("(void*)z == (int*)x"), "(== z x)");
  EXPECT_EQ(tree("(long)a"), "a");
  EXPECT_EQ(tree("(uint64_t)(a + b)"), "(+ a b)");
  EXPECT_EQ(tree("(int)a"), "a");
  EXPECT_EQ(tree("(int)*z"), "load[plain](z)");
  EXPECT_EQ(tree("(int)(a == b)"), "(== a b)");
  EXPECT_EQ(tree("(unsigned char)a"), "(& a 255)");
  EXPECT_EQ(tree("(uint32_t)a"), "(& a 4294967295)");
  EXPECT_EQ(tree("(signed char)a"), "(- (^ (& a 255) 128) 128)");
  EXPECT_EQ(tree("(int)l"), "(- (^ (& l 4294967295) 2147483648) 2147483648)");
  EXPECT_EQ(tree("(int)(a + b)"), "(- (^ (& (+ a b) 4294967295) 2147483648) 2147483648)");
  EXPECT_EQ(tree("(int)u"), "(- (^ (& u 4294967295) 2147483648) 2147483648)");
  EXPECT_EQ(tree("(uint32_t)u"), "u");
  EXPECT_EQ(tree("(bool)a"), "(!= a 0)");
  EXPECT_EQ(tree("(_Bool)!a"), "(! a)");
  EXPECT_EQ(tree("(uint8_t)257 + (int8_t)200 + (bool)7"), "(+ (+ 1 -56) 1)");
  EXPECT_EQ(tree("(int)-a"), "(- (^ (& (- a) 4294967295) 2147483648) 2147483648)");
  EXPECT_EQ(tree("-(long)a"), "(- a)");
}

/// What a cast does to a number, computed by the tree it is lowered to.
Value lowered(const std::string& type, Value number) {
  const LitmusTest test = parse_test(with_body("long l; r0 = (" + type + ")l;"));
  struct Evaluator {
    Value number;
    Value run(const Expression& expression) const {
      if (expression.kind == Expression::Kind::kNumber) return expression.number;
      if (expression.kind == Expression::Kind::kVariable) return number;
      const Value left = run(*expression.operand);
      const Value right = run(*expression.second);
      switch (expression.binary_op) {
        case BinaryOp::kBitAnd: return left & right;
        case BinaryOp::kBitXor: return left ^ right;
        case BinaryOp::kSub: return left - right;
        case BinaryOp::kNotEqual: return left != right;
        default: ADD_FAILURE(); return 0;
      }
    }
  };
  return Evaluator{number}.run(*test.threads[0].body[0].expression);
}

TEST(Expressions, LoweredCastsGiveWhatCGives) {
  for (const Value number :
       {Value{0}, Value{1}, Value{-1}, Value{127}, Value{128}, Value{255}, Value{-128}, Value{32768}, Value{2147483647},
        Value{2147483648}, Value{-2147483649}, Value{1} << 40, INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(lowered("int8_t", number), static_cast<std::int8_t>(number));
    EXPECT_EQ(lowered("uint8_t", number), static_cast<std::uint8_t>(number));
    EXPECT_EQ(lowered("short", number), static_cast<std::int16_t>(number));
    EXPECT_EQ(lowered("unsigned short", number), static_cast<std::uint16_t>(number));
    EXPECT_EQ(lowered("int", number), static_cast<std::int32_t>(number));
    EXPECT_EQ(lowered("unsigned", number), static_cast<std::uint32_t>(number));
    EXPECT_EQ(lowered("bool", number), number != 0);
    EXPECT_EQ(lowered("long", number), number);
  }
}

TEST(Expressions, MistakesAreErrors) {
  EXPECT_EQ(error_in_body("r0 = ;"), "6: expected an expression, found ';'");
  EXPECT_EQ(error_in_body("r0 = 1 +;"), "9: expected an expression, found ';'");
  EXPECT_EQ(error_in_body("r0 = (1;"), "8: expected ')' to close the parenthesis, found ';'");
  EXPECT_EQ(error_in_body("r0 = a ? 1;"), "11: expected ':' in a conditional expression, found ';'");
  EXPECT_EQ(error_in_body("r0 = if;"), "6: expected an expression, found the keyword 'if'");
  EXPECT_EQ(error_in_body("r0 = int;"), "6: expected an expression, found 'int'");
  EXPECT_EQ(error_in_body("r0 = (int 1;"), "11: expected ')' after the type of a cast, found '1'");
  EXPECT_EQ(error_in_body("r0 = &nothing;"), "7: unknown location 'nothing'");
  EXPECT_EQ(error_in_body("int r1; int* r0 = &r1;"),
            "19: unsupported address of a local variable (only as the expected value of a compare-exchange)");
  EXPECT_EQ(error_in_body("r0 = &1;"), "6: cannot take the address of this expression");
}

TEST(Expressions, UnsupportedOnesAreNamed) {
  EXPECT_EQ(error_in_body("r0 = sizeof(int);"), "6: unsupported 'sizeof'");
  EXPECT_EQ(error_in_body("r0 = z[0];"), "7: unsupported array");
  EXPECT_EQ(error_in_body("r0 = z->a;"), "7: unsupported access to a member");
  EXPECT_EQ(error_in_body("r0 = z.a;"), "7: unsupported access to a member");
  EXPECT_EQ(error_in_body("r0 = (z)(1);"), "9: unsupported call through a pointer");
  EXPECT_EQ(error_in_body("r0 = \"abc\";"), "6: unsupported string");
  EXPECT_EQ(error_in_body("r0 = ({ 1; });"), "6: unsupported statement inside an expression");
}

}  // namespace
}  // namespace ordeal::litmus::testing
