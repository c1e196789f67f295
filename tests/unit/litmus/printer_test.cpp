#include "litmus/printer.h"

#include <gtest/gtest.h>

#include "parsing.h"
#include "samples.h"

namespace ordeal::litmus::testing {
namespace {

void expect_round_trip(const std::string& text, const ParseOptions& options = {}) {
  const LitmusTest test = parse(text, "test.litmus", options);
  const std::string printed = to_source(test);
  try {
    const LitmusTest again = parse(printed, "printed.litmus");
    EXPECT_EQ(dump(again), dump(test)) << printed;
    EXPECT_EQ(to_source(again), printed);
  } catch (const ParseError& error) {
    ADD_FAILURE() << error.what() << printed;
  }
}

TEST(Printer, SamplesReadBackAsTheSameTest) {
  for (const auto sample : kSamples) {
    SCOPED_TRACE(std::string(sample.substr(0, sample.find('\n'))));
    expect_round_trip(std::string(sample));
  }
}

TEST(Printer, SamplesReadBackWithTheDereferenceOfC) {
  for (const auto sample : kSamples) expect_round_trip(std::string(sample), kAsInC);
}

TEST(Printer, PrintsATestThatPeopleCanRead) {
  const LitmusTest test = parse_test(
      "C MP { y = 1; } P0 (int* x, atomic_int* y) { *x = 1; atomic_store_explicit(y, 1, memory_order_release); }"
      "P1 (int* x, atomic_int* y) { while (atomic_load(y) != 1) {} int r0 = *x + 1; } exists (1:r0=1 \\/ x=2)");
  EXPECT_EQ(to_source(test), R"(C MP

{
  atomic_int y = 1;
  int x = 0;
}

P0 (int* x, atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release);
}

P1 (int* x, atomic_int* y) {
  int r0;
  while (atomic_load_explicit(y, memory_order_seq_cst) != 1) {
  }
  r0 = (*x) + 1;
}

exists (1:r0=1 \/ [x]=2)
)");
}

TEST(Printer, PlainAccessesThroughAtomicPointersStayPlain) {
  for (const ParseOptions& options : {ParseOptions{}, kAsInC}) {
    expect_round_trip(with_body("atomic_init(x, 1); r0 = *(int*)x; *(int*)x = 2; atomic_init(z, 3);"), options);
    expect_round_trip(with_body("*x = 1; r0 = *x + *(z + 0); *x += 1; *(r0 ? x : y) = **(int**)v;"), options);
  }
}

TEST(Printer, SignsAreNotConfused) {
  expect_round_trip(with_body("int a; r0 = -(5); r1 = -(-5); r2 = - -a; r3 = a - -5; r4 = -5 - -(-6); r5 = -5 * a;"));
}

TEST(Printer, HiddenNamesAreReadBack) {
  expect_round_trip(with_body("int r0 = 1; { int r0 = 2; { int r0 = 3; } { long r0 = 4; } } **(int**)v += 1;"));
}

TEST(Printer, InitialValuesOfVariablesAreKept) {
  expect_round_trip(
      "C t { r = 3; 0:r5 = 4; 1:x = y; 1:s = 7; 0:p = NULL; 1:t = &x; }"
      "P0 (int r, int* p) { r5 = r; } P1 (atomic_int* x, int s) { int t; } exists (0:r=3 /\\ 1:t=x)");
}

TEST(Printer, ConditionsAreKept) {
  for (const char* condition :
       {"locations [x; 1:r0;] filter (x=1) exists true", "exists (x=1 => y=1) => (x=2 => y=2)", "forall false",
        "exists (x=1 \\/ y=1) /\\ ~(x=2 /\\ y=2) \\/ 1:p=&y", "~exists 0:r0=[x] /\\ 0:r0!=1:r0 /\\ x<=-1 /\\ ~~(x=1)",
        "exists (x=1 /\\ (y=1 => x=2)) => y=-9223372036854775808"})
    expect_round_trip(with_condition(condition));
}

}  // namespace
}  // namespace ordeal::litmus::testing
