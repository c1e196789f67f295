#include <gtest/gtest.h>

#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

TEST(Statements, DeclarationsMayHaveValues) {
  EXPECT_EQ(body_of("int r0; int r1 = 1; int r2, r3 = 3, *p = z, **q;"), "r1 = 1; r3 = 3; p = z");
  EXPECT_EQ(locals_of("int r2, r3 = 3, *p = z, **q;"), "i32 r2; i32 r3; i32* p; i32** q");
  EXPECT_EQ(body_of("int r0 = atomic_load(x), r1 = r0;"), "r0 = load[sc](x); r1 = r0");
  EXPECT_EQ(body_of("atomic_int r0 = ATOMIC_VAR_INIT(4);"), "r0 = 4");
  EXPECT_EQ(body_of("int *p = &z; int *q = &*z;"), "p = z; q = z");
}

TEST(Statements, AssignmentsAreReadPlain) {
  EXPECT_EQ(body_of("r0 = 1; *z = r0; *v = *z; (r0) = 2; (*z) = 3;"),
            "r0 = 1; store[plain](z, r0); store[plain](v, load[plain](z)); r0 = 2; store[plain](z, 3)");
}

TEST(Statements, AccessesThroughAPointerArePlainWhateverItPointsTo) {
  EXPECT_EQ(body_of("*x = 1; r0 = *x; *y = *x + *z; atomic_store(x, 2);"),
            "store[plain](x, 1); r0 = load[plain](x); store[plain](y, (+ load[plain](x) load[plain](z))); "
            "store[sc](x, 2)");
}

TEST(Statements, AccessesToAtomicsAreSeqCstIfCIsFollowed) {
  EXPECT_EQ(body_of("*x = 1; r0 = *x; *y = *x + *z;", kAsInC),
            "store[sc](x, 1); r0 = load[sc](x); store[sc](y, (+ load[sc](x) load[plain](z)))");
}

TEST(Statements, CompoundAssignmentsToLocals) {
  EXPECT_EQ(body_of("int r = 1; r += 2; r -= 3; r |= 4; r &= 5; r ^= 6; r *= 7; r /= 8; r %= 9; r <<= 1; r >>= 2;"),
            "r = 1; r = (+ r 2); r = (- r 3); r = (| r 4); r = (& r 5); r = (^ r 6); r = (* r 7); r = (/ r 8); "
            "r = (% r 9); r = (<< r 1); r = (>> r 2)");
  EXPECT_EQ(body_of("int r = 1; r++; ++r; r--; --r; r *= 1 + 2;"),
            "r = 1; r = (+ r 1); r = (+ r 1); r = (- r 1); r = (- r 1); r = (* r (+ 1 2))");
}

TEST(Statements, CompoundAssignmentsToMemoryLoadAndStore) {
  EXPECT_EQ(body_of("*z += 2; (*z)++; --*z;"),
            "store[plain](z, (+ load[plain](z) 2)); store[plain](z, (+ load[plain](z) 1)); "
            "store[plain](z, (- load[plain](z) 1))");
  EXPECT_EQ(body_of("*x += 2; (*x)++; --*x; *x *= 3;"),
            "store[plain](x, (+ load[plain](x) 2)); store[plain](x, (+ load[plain](x) 1)); "
            "store[plain](x, (- load[plain](x) 1)); store[plain](x, (* load[plain](x) 3))");
}

TEST(Statements, CompoundAssignmentsEvaluateTheAddressOnce) {
  const LitmusTest test = parse_test("C t {} P0 (int** p) { **p += 1; }");
  EXPECT_EQ(Dumper(test, test.threads[0]).dump(test.threads[0].body),
            "address#2 = load[plain](p); store[plain](address#2, (+ load[plain](address#2) 1))");
}

TEST(Statements, CompoundAssignmentsToAtomicsAreReadModifyWritesIfCIsFollowed) {
  EXPECT_EQ(body_of("*x += 2; *x -= 3; *x |= 4; *x &= 5; *x ^= 6; (*x)++; ++*x; (*x)--; --*x;", kAsInC),
            "add[sc](x, 2); sub[sc](x, 3); or[sc](x, 4); and[sc](x, 5); xor[sc](x, 6); add[sc](x, 1); add[sc](x, 1); "
            "sub[sc](x, 1); sub[sc](x, 1)");
  EXPECT_EQ(error_in_body("*x *= 2;", kAsInC), "1: unsupported atomic update (only +=, -=, |=, &=, ^=, ++ and --)");
}

TEST(Statements, Conditionals) {
  EXPECT_EQ(body_of("if (*z) *z = 1; else if (*v) { *z = 2; } else { *z = 3; *z = 4; }"),
            "if (load[plain](z)) {store[plain](z, 1)} else {if (load[plain](v)) {store[plain](z, 2)} else "
            "{store[plain](z, 3); store[plain](z, 4)}}");
  EXPECT_EQ(body_of("if (1) if (2) r0 = 1; else r0 = 2;"), "if (1) {if (2) {r0 = 1} else {r0 = 2}}");
  EXPECT_EQ(body_of("if (1) {} else {}"), "if (1) {}");
  EXPECT_EQ(body_of("if (1) int r0 = 5;"), "if (1) {r0 = 5}");
}

TEST(Statements, Loops) {
  EXPECT_EQ(body_of("while (atomic_load_explicit(x, memory_order_acquire) != 1) {}"), "while ((!= load[acq](x) 1)) {}");
  EXPECT_EQ(body_of("while (1);"), "while (1) {}");
  EXPECT_EQ(body_of("do { r0 = *z; } while (r0 == 0);"), "do {r0 = load[plain](z)} while ((== r0 0))");
  EXPECT_EQ(body_of("do r0 = 1; while (0);"), "do {r0 = 1} while (0)");
  EXPECT_EQ(body_of("for (int i = 0; i < 3; i++) { *z = i; }"),
            "i = 0; while ((< i 3)) {store[plain](z, i)} step {i = (+ i 1)}");
  EXPECT_EQ(body_of("for (r0 = 0, r1 = 1; r0 < 3; r0 += 2, --r1) ;"),
            "r0 = 0; r1 = 1; while ((< r0 3)) {} step {r0 = (+ r0 2); r1 = (- r1 1)}");
  EXPECT_EQ(body_of("for (;;) break;"), "while (1) {break}");
  EXPECT_EQ(body_of("for (;;atomic_store(x, 1)) continue;"), "while (1) {continue} step {store[sc](x, 1)}");
}

TEST(Statements, Jumps) {
  EXPECT_EQ(body_of("while (1) { if (*z) break; else continue; } return;"),
            "while (1) {if (load[plain](z)) {break} else {continue}}; return");
  EXPECT_EQ(body_of("if (*z) return 0; return;"), "if (load[plain](z)) {0; return}; return");
  EXPECT_EQ(error_in_body("break;"), "1: 'break' outside of a loop");
  EXPECT_EQ(error_in_body("if (1) { continue; }"), "10: 'continue' outside of a loop");
  EXPECT_EQ(error_in_body("while (1) break"), "16: expected ';' after 'break', found '}'");
}

TEST(Statements, BlocksAndEmptyStatements) { EXPECT_EQ(body_of(";; {} { ; { r0 = 1; } }"), "{}; {{r0 = 1}}"); }

TEST(Statements, ExpressionsAreEvaluated) {
  EXPECT_EQ(body_of("atomic_load(x); *z; 1; (void)*z; (void)atomic_fetch_add(x, 1); r0 = 1, r1 = 2;"),
            "load[sc](x); load[plain](z); 1; load[plain](z); add[sc](x, 1); r0 = 1; r1 = 2");
  EXPECT_EQ(body_of("(void)atomic_store(x, 1);"), "store[sc](x, 1)");
}

TEST(Statements, HavePositions) {
  const LitmusTest test = parse_test(with_body("  *z = 1;\n  int r0 = 1 + atomic_load(x);"));
  const Block& body = test.threads[0].body;
  EXPECT_EQ(body[0].position.line, 4);
  EXPECT_EQ(body[0].position.column, 3);
  EXPECT_EQ(body[1].position.column, 7);
  EXPECT_EQ(body[1].expression->position.column, 14);
  EXPECT_EQ(body[1].expression->second->position.column, 16);
  EXPECT_EQ(body[1].expression->second->position.line, 5);
}

TEST(Statements, MissingPunctuationIsReportedWhereItShouldBe) {
  EXPECT_EQ(error_in_body("*z = 1"), "7: expected ';' after the statement, found '}'");
  EXPECT_EQ(error_in_body("int r0 = 1 r1 = 2;"), "11: expected ';' after the declaration, found 'r1'");
  EXPECT_EQ(error_in_body("if 1 {}"), "4: expected '(' after 'if', found '1'");
  EXPECT_EQ(error_in_body("if (1 {}"), "7: expected ')' to close the parenthesis, found '{'");
  EXPECT_EQ(error_in_body("do {} (1);"), "7: expected 'while' after the body of 'do', found '('");
  EXPECT_EQ(error_in_body("do {} while (1)"), "16: expected ';' after 'do … while', found '}'");
  EXPECT_EQ(error_in_body("for (r0 = 0) {}"), "12: expected ';' after the first part of 'for', found ')'");
  EXPECT_EQ(error_in_body("for (;;r0 = 1 {}"), "15: expected ')' after the last part of 'for', found '{'");
  EXPECT_EQ(error_in_body("return 1"), "9: expected ';' after 'return', found '}'");
  EXPECT_EQ(error_in_body("else {}"), "1: 'else' without 'if'");
}

TEST(Statements, OnlyVariablesAndMemoryAreAssigned) {
  EXPECT_EQ(error_in_body("1 = 2;"), "1: cannot assign to this expression");
  EXPECT_EQ(error_in_body("r0 + 1 = 2;"), "1: cannot assign to this expression");
  EXPECT_EQ(error_in_body("atomic_load(x) = 2;"), "1: cannot assign to this expression");
  EXPECT_EQ(error_in_body("(r0 + 1)++;"), "1: cannot assign to this expression");
}

TEST(Statements, UnsupportedOnesAreNamed) {
  EXPECT_EQ(error_in_body("goto end;"), "1: unsupported 'goto'");
  EXPECT_EQ(error_in_body("end: r0 = 1;"), "1: unsupported label 'end'");
  EXPECT_EQ(error_in_body("switch (r0) {}"), "1: unsupported 'switch'");
  EXPECT_EQ(error_in_body("asm volatile(\"mfence\");"), "1: unsupported 'asm'");
  EXPECT_EQ(error_in_body("int a[3];"), "6: unsupported array");
  EXPECT_EQ(error_in_body("int a = {3};"), "9: unsupported array or structure");
  EXPECT_EQ(error_in_body("int f(int a);"), "5: unsupported function 'f'");
  EXPECT_EQ(error_in_body("r0 = r1 = 2;"), "9: unsupported assignment inside an expression");
  EXPECT_EQ(error_in_body("int r0 = r1 = 2;"), "13: unsupported assignment inside an expression");
  EXPECT_EQ(error_in_body("while ((r0 = *x) == 0) {}"), "12: unsupported assignment inside an expression");
  EXPECT_EQ(error_in_body("if (r0 += 1) {}"), "8: unsupported assignment inside an expression");
  EXPECT_EQ(error_in_body("if (1, 2) {}"), "6: unsupported comma operator inside an expression");
  EXPECT_EQ(error_in_body("r0 = r1++;"), "8: unsupported '++' inside an expression");
  EXPECT_EQ(error_in_body("*z++;"), "3: unsupported '++' inside an expression");
  EXPECT_EQ(error_in_body("r0 = --r1;"), "6: unsupported '--' inside an expression");
}

}  // namespace
}  // namespace ordeal::litmus::testing
