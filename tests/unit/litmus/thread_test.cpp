#include <gtest/gtest.h>

#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

TEST(Threads, HeadsHaveManySpellings) {
  const std::string expected = dump(parse_test("C t {} P0 (atomic_int* x) {} P1 (int* y, int r) {}"));
  EXPECT_EQ(dump(parse_test("C t {} void P0(atomic_int *x) {} static void P1(int *y, int r){}")), expected);
  EXPECT_EQ(dump(parse_test("C t {}\nint P0\n(\natomic_int\n*\nx)\n{\n}\nP1(int*y,int r){}")), expected);
  EXPECT_EQ(dump(parse_test("C t {} void* P0(_Atomic(int)* x) {} static inline int P1(int *y, int r){}")), expected);
}

TEST(Threads, MayHaveNoParameters) { EXPECT_EQ(parse_test("C t {} P0 () {} P1 (void) {}").threads.size(), 2U); }

TEST(Threads, HaveThePositionOfTheirName) {
  const LitmusTest test = parse_test("C t {}\n void P0 () {}\n");
  EXPECT_EQ(test.threads[0].position.line, 2);
  EXPECT_EQ(test.threads[0].position.column, 7);
}

TEST(Threads, MayBeMany) {
  std::string text = "C t {}";
  for (int thread = 0; thread < 300; ++thread) text += "P" + std::to_string(thread) + " (int* x) { *x = 1; }\n";
  EXPECT_EQ(parse_test(text).threads.size(), 300U);
}

TEST(Threads, AreNumberedInOrder) {
  EXPECT_EQ(error_of("C t\n{}\nP1 () {}"), "3:1: expected thread 'P0', found 'P1': threads are numbered in order");
  EXPECT_EQ(error_of("C t\n{}\nP0 () {}\nP2 () {}"),
            "4:1: expected thread 'P1', found 'P2': threads are numbered in order");
  EXPECT_EQ(error_of("C t\n{}\nP0 () {} P0 () {}"),
            "3:10: expected thread 'P1', found 'P0': threads are numbered in order");
  EXPECT_EQ(error_of("C t\n{}\nP99999999999999 () {}"),
            "3:1: expected thread 'P0', found 'P99999999999999': threads are numbered in order");
}

TEST(Threads, AreNecessary) {
  EXPECT_EQ(error_of("C t\n{}\n"), "3:1: expected a thread 'P0 (…) { … }', found end of file");
  EXPECT_EQ(error_of("C t\n{}\nexists (x=0)"), "3:1: expected a thread 'P0 (…) { … }', found 'exists'");
  EXPECT_EQ(error_of("C t\n{}\nabc"), "3:1: expected a thread 'P0 (…) { … }', found 'abc'");
}

TEST(Threads, OtherFunctionsAreUnsupported) {
  EXPECT_EQ(error_of("C t\n{}\nvoid f(int* x) { *x = 1; }"), "3:6: unsupported function 'f' (threads are P0, P1, …)");
  EXPECT_EQ(error_of("C t\n{}\nP0 () {}\nint main() {}"), "4:5: unsupported function 'main' (threads are P0, P1, …)");
}

TEST(Threads, OtherSectionsAreNamed) {
  EXPECT_EQ(error_of("C t\n{}\nP0 () {}\nscopes: (device)"), "4:1: unsupported section 'scopes'");
  EXPECT_EQ(error_of("C t\n{}\nP0 () {}\n;"),
            "4:1: expected a thread 'P1 (…) { … }', 'locations', 'filter', 'exists', '~exists' or 'forall', found ';'");
}

TEST(Threads, InColumnsAreUnsupported) {
  EXPECT_EQ(error_of("CPP11 t\n{ x=0; }\n P0 | P1 ;\n x = 1 | r1 = x ;"),
            "3:5: unsupported threads in columns (threads are C functions 'P0 (…) { … }')");
}

TEST(Threads, BadParametersAreErrors) {
  EXPECT_EQ(error_of("C t\n{}\nP0 (int* x, int* x) {}"), "3:18: parameter 'x' is declared twice");
  EXPECT_EQ(error_of("C t\n{}\nP0 (int*) {}"), "3:9: expected the name of a parameter, found ')'");
  EXPECT_EQ(error_of("C t\n{}\nP0 (x) {}"), "3:5: expected a type, found 'x'");
  EXPECT_EQ(error_of("C t\n{}\nP0 (void x) {}"), "3:10: a parameter cannot be of type 'void'");
  EXPECT_EQ(error_of("C t\n{}\nP0 (int x[2]) {}"), "3:10: unsupported array");
  EXPECT_EQ(error_of("C t\n{}\nP0 (int* x {}"), "3:12: expected ')' after the parameters of the thread, found '{'");
  EXPECT_EQ(error_of("C t\n{}\nP0 int* x"), "3:4: expected '(' and the parameters of the thread, found 'int'");
  EXPECT_EQ(error_of("C t\n{}\nP0 (double* x) {}"), "3:5: unsupported type 'double'");
}

TEST(Threads, BodiesHaveBraces) {
  EXPECT_EQ(error_of("C t\n{}\nP0 () ;"), "3:7: expected '{' and the body of the thread, found ';'");
  EXPECT_EQ(error_of("C t\n{}\nP0 () { if (1) {\n}\n"), "5:1: expected '}' to close a block, found end of file");
}

TEST(Threads, LocationsOfLaterThreadsAreKnown) {
  const LitmusTest test = parse_test("C t {} P0 (int** p) { *p = &y; } P1 (int* y) {}");
  EXPECT_EQ(Dumper(test, test.threads[0]).dump(test.threads[0].body), "store[plain](p, &y)");
}

TEST(Registers, NeedNoDeclaration) {
  EXPECT_EQ(locals_of("r0 = 1; r1 = r0 + 1;"), "i32 r0; i32 r1");
  EXPECT_EQ(locals_of("while (r0 == 0) { r0 = atomic_load(x); }"), "i32 r0");
}

TEST(Registers, TakeTheTypeOfWhatIsAssignedFirst) {
  EXPECT_EQ(locals_of("r0 = x; r1 = *z; r2 = (long)*z; r3 = (uint8_t)*z; r4 = NULL;"),
            "atomic i32* r0; i32 r1; i64 r2; i32 r3; i32* r4");
}

TEST(Registers, AreUnknownIfNothingIsAssigned) {
  EXPECT_EQ(error_in_body("atomic_store(x, r9);"), "17: unknown register 'r9' in P0");
  EXPECT_EQ(error_of("C t\n{}\nP0 () {}\nP1 () {\n  int r0 = r9;\n}"), "5:12: unknown register 'r9' in P1");
  EXPECT_EQ(error_in_body("r9;"), "1: unknown register 'r9' in P0");
}

TEST(Registers, AreNotLocations) {
  EXPECT_EQ(error_of("C t\n{ a = 0; }\nP0 (int* b) { a = 1; }"),
            "3:15: unknown register 'a' in P0: 'a' is a location, but not a parameter of P0");
  EXPECT_EQ(error_of("C t\n{}\nP0 (int* b) { int r0 = c; }\nP1 (int* c) {}"),
            "3:24: unknown register 'c' in P0: 'c' is a location, but not a parameter of P0");
}

TEST(Registers, MayHaveTheNameOfALocationIfDeclared) {
  const LitmusTest test = parse_test("C t { a = 1; } P0 () { int a = 5; } exists (0:a=5 /\\ a=1)");
  EXPECT_EQ(dump(test, test.condition), "(and 0:a=5 a=1)");
}

TEST(Scopes, AnInnerVariableShadowsUnderAnotherName) {
  EXPECT_EQ(body_of("int r0 = 1; { int r0 = 2; r0 = 3; { int r0 = r0; } } r0 = 4;"),
            "r0 = 1; {r0#2 = 2; r0#2 = 3; {r0#3 = r0#2}}; r0 = 4");
  EXPECT_EQ(body_of("{ int x = 1; x = 2; } *x = 3;"), "{x#2 = 1; x#2 = 2}; store[plain](x, 3)");
  EXPECT_EQ(body_of("int i = 7; for (int i = 0; i < 2; i++) r0 = i;"),
            "i = 7; i#2 = 0; while ((< i#2 2)) {r0 = i#2} step {i#2 = (+ i#2 1)}");
}

TEST(Scopes, VariablesOfBlocksSideBySideAreOne) {
  EXPECT_EQ(body_of("if (*z) { int r1 = 1; } else { int r1 = 2; } r2 = r1;"),
            "if (load[plain](z)) {r1 = 1} else {r1 = 2}; r2 = r1");
  EXPECT_EQ(locals_of("{ int r1 = 1; } { int r1 = 2; } { long r1 = 3; } { char* r1; }"), "i32 r1; i64 r1#2; i8* r1#3");
}

TEST(Scopes, ARegisterThatWasUsedMayBeDeclaredLater) {
  EXPECT_EQ(body_of("r1 = 0; if (*z) { int r1 = 1; } else { int r1 = 2; }"),
            "r1 = 0; if (load[plain](z)) {r1 = 1} else {r1 = 2}");
}

TEST(Scopes, TwoDeclarationsInABlockAreAnError) {
  EXPECT_EQ(error_in_body("int r0; int r0;"), "13: 'r0' is declared twice");
  EXPECT_EQ(error_in_body("int x;"), "5: 'x' is declared twice");
  EXPECT_EQ(error_in_body("int a = 1, a = 2;"), "12: 'a' is declared twice");
}

TEST(Scopes, NamesAreNotKeywords) {
  EXPECT_EQ(error_in_body("int while = 1;"), "5: expected a variable name, found the keyword 'while'");
  EXPECT_EQ(error_in_body("int = 1;"), "5: expected a variable name, found '='");
}

TEST(Scopes, ALocationDoesNotTurnIntoAVariable) {
  EXPECT_EQ(error_of("C t\n{ a = 0; }\nP0 () { int* p = &a; int a = 1; }"),
            "3:26: 'a' is declared after '&a' stood for the location");
}

}  // namespace
}  // namespace ordeal::litmus::testing
