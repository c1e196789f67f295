#include <gtest/gtest.h>

#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

// Every test here has the registers 0:r0, 0:r1, 1:r0, 1:p and the locations x, y.

TEST(Conditions, QuantifiersHaveManySpellings) {
  const auto quantifier = [](const std::string& text) { return parse_test(with_condition(text)).quantifier; };
  EXPECT_EQ(quantifier("exists (x=1)"), Quantifier::kExists);
  EXPECT_EQ(quantifier("exists x=1"), Quantifier::kExists);
  EXPECT_EQ(quantifier("final (x=1)"), Quantifier::kExists);
  EXPECT_EQ(quantifier("(x=1)"), Quantifier::kExists);
  EXPECT_EQ(quantifier("~exists (x=1)"), Quantifier::kNotExists);
  EXPECT_EQ(quantifier("~ exists x=1;"), Quantifier::kNotExists);
  EXPECT_EQ(quantifier("not exists (x=1)"), Quantifier::kNotExists);
  EXPECT_EQ(quantifier("!exists (x=1)"), Quantifier::kNotExists);
  EXPECT_EQ(quantifier("forall (x=1)"), Quantifier::kForall);
}

TEST(Conditions, AreForallTrueIfMissing) {
  const LitmusTest test = parse_test(with_condition(""));
  EXPECT_EQ(test.quantifier, Quantifier::kForall);
  EXPECT_EQ(dump(test, test.condition), "true");
  EXPECT_EQ(test.condition_text, "forall (true)");
  EXPECT_TRUE(test.observables().empty());
}

TEST(Conditions, AtomsHaveManySpellings) {
  EXPECT_EQ(condition_of("exists 0:r0=1"), "0:r0=1");
  EXPECT_EQ(condition_of("exists (0: r0 == 1)"), "0:r0=1");
  EXPECT_EQ(condition_of("exists P1:r0=-1"), "1:r0=-1");
  EXPECT_EQ(condition_of("exists x=0x10"), "x=16");
  EXPECT_EQ(condition_of("exists [x]=2"), "x=2");
  EXPECT_EQ(condition_of("exists *x=2"), "x=2");
  EXPECT_EQ(condition_of("exists x=true /\\ y=false /\\ x='a'"), "(and x=1 y=0 x=97)");
  EXPECT_EQ(condition_of("exists 0:r0!=1 /\\ 0:r1<>2 /\\ x<3 /\\ x<=4 /\\ x>5 /\\ x>=6"),
            "(and 0:r0!=1 0:r1!=2 x<3 x<=4 x>5 x>=6)");
}

TEST(Conditions, AtomsMayNameAddressesAndOtherObservables) {
  EXPECT_EQ(condition_of("exists 1:p=x /\\ 1:p=&y"), "(and 1:p=&x 1:p=&y)");
  EXPECT_EQ(condition_of("exists 0:r0=1:r0 /\\ 0:r0=P0:r1 /\\ 0:r0=[x] /\\ 0:r0=*y /\\ [x]=[y]"),
            "(and 0:r0=1:r0 0:r0=0:r1 0:r0=x 0:r0=y x=y)");
  EXPECT_EQ(condition_of("exists 1:p=NULL"), "1:p=0");
}

TEST(Conditions, MayNameParametersAndRegistersOfInnerBlocks) {
  const LitmusTest test = parse_test("C t {} P0 (int* x) { if (*x) { int r7 = 1; } } exists (0:r7=1 /\\ 0:x=x)");
  EXPECT_EQ(dump(test, test.condition), "(and 0:r7=1 0:x=&x)");
}

TEST(Conditions, PropositionsHaveManySpellings) {
  EXPECT_EQ(condition_of("exists (true)"), "true");
  EXPECT_EQ(condition_of("exists ()"), "true");
  EXPECT_EQ(condition_of("exists ~() \\/ x=1"), "(or (not true) x=1)");
  EXPECT_EQ(condition_of("exists (false \\/ x=1 || y=1)"), "(or false x=1 y=1)");
  EXPECT_EQ(condition_of("exists (x=1 /\\ y=1 && 0:r0=0)"), "(and x=1 y=1 0:r0=0)");
  EXPECT_EQ(condition_of("exists ~(x=1)"), "(not x=1)");
  EXPECT_EQ(condition_of("exists not (x=1 /\\ y=1)"), "(not (and x=1 y=1))");
  EXPECT_EQ(condition_of("exists !(x=1)"), "(not x=1)");
  EXPECT_EQ(condition_of("exists ~x=1 /\\ y=2"), "(and (not x=1) y=2)");
  EXPECT_EQ(condition_of("exists ((x=1) => (y=1))"), "(implies x=1 y=1)");
}

TEST(Conditions, HaveThePrecedencesOfHerd) {
  EXPECT_EQ(condition_of("exists x=1 \\/ y=1 /\\ x=2"), "(or x=1 (and y=1 x=2))");
  EXPECT_EQ(condition_of("exists x=1 /\\ y=1 \\/ x=2"), "(or (and x=1 y=1) x=2)");
  EXPECT_EQ(condition_of("exists x=1 /\\ y=1 => x=2"), "(and x=1 (implies y=1 x=2))");
  EXPECT_EQ(condition_of("exists x=1 => y=1 => x=2"), "(implies x=1 (implies y=1 x=2))");
  EXPECT_EQ(condition_of("exists not x=1 => y=1"), "(implies (not x=1) y=1)");
}

TEST(Conditions, ChainsAreFlat) {
  EXPECT_EQ(condition_of("exists ((x=1 /\\ y=1) /\\ (x=2 /\\ (y=2 /\\ x=3)))"), "(and x=1 y=1 x=2 y=2 x=3)");
  EXPECT_EQ(condition_of("exists (x=1 \\/ (y=1 \\/ x=2) \\/ (y=2 /\\ x=3))"), "(or x=1 y=1 x=2 (and y=2 x=3))");
}

TEST(Conditions, AreDecidedByHolds) {
  const auto decide = [](const std::string& text) {
    const LitmusTest test = parse_test(with_condition(text));
    return holds(test.condition, [](const Observable& observable) { return Value{observable.thread < 0 ? 2 : 1}; });
  };
  EXPECT_TRUE(decide("exists (x=2 /\\ 0:r0=1)"));
  EXPECT_FALSE(decide("exists (x=2 /\\ 0:r0=2)"));
  EXPECT_TRUE(decide("exists (x=[y] /\\ 0:r0=1:r0 /\\ x>1 /\\ not (x=1))"));
  EXPECT_TRUE(decide("exists (x=1 => y=7)"));
}

TEST(Conditions, TextIsThatOfHerd) {
  EXPECT_EQ(condition_text_of("exists(0:r0=1/\\1:r0=0)"), "exists (0:r0=1 /\\ 1:r0=0)");
  EXPECT_EQ(condition_text_of("~exists x=0x1 /\\ *y=2"), "~exists ([x]=1 /\\ [y]=2)");
  EXPECT_EQ(condition_text_of("forall 1:p=&x"), "forall (1:p=x)");
  EXPECT_EQ(condition_text_of("exists ~(x=1) /\\ y!=2"), "exists (not ([x]=1) /\\ not ([y]=2))");
  EXPECT_EQ(condition_text_of("exists (x=1 \\/ y=1) /\\ x=2 \\/ y=2"),
            "exists (([x]=1 \\/ [y]=1) /\\ [x]=2 \\/ [y]=2)");
  EXPECT_EQ(condition_text_of("exists (x=1 => y=1) /\\ x=2"), "exists (([x]=1 => [y]=1) /\\ [x]=2)");
  EXPECT_EQ(condition_text_of("exists (x=1 /\\ y=1) => (x=2 => y=2)"), "exists (([x]=1 /\\ [y]=1) => [x]=2 => [y]=2)");
  EXPECT_EQ(condition_text_of("exists (x=1 => y=1) => x=2"), "exists (([x]=1 => [y]=1) => [x]=2)");
  EXPECT_EQ(condition_text_of("exists 0:r0<1:r0 /\\ x>=-3"), "exists (0:r0<1:r0 /\\ [x]>=-3)");
}

TEST(Conditions, LocationsListsAreKept) {
  const auto shown = [](const std::string& text) {
    const LitmusTest test = parse_test(with_condition(text));
    std::string names;
    for (const auto& observable : test.shown) names += test.name_of(observable) + " ";
    return names;
  };
  EXPECT_EQ(shown("locations [x; 0:r0;]"), "x 0:r0 ");
  EXPECT_EQ(shown("locations [1:r0; y] exists (x=1)"), "1:r0 y ");
  EXPECT_EQ(shown("locations [x]"), "x ");
  EXPECT_EQ(shown("locations []"), "");
  EXPECT_EQ(shown("locations [int x; atomic_int *y; int 0:r0; 1:r0 int; 1:p int*;]"), "x y 0:r0 1:r0 1:p ");
  EXPECT_EQ(shown("locations [x, [y], P0:r1]"), "x y 0:r1 ");
}

TEST(Conditions, KindsOfLocationsAreReadOver) {
  const std::string expected = dump(parse_test(with_condition("locations [x;] exists (y=1)")));
  EXPECT_EQ(dump(parse_test(with_condition("LK x:atomic, y:nonatomic locations [x;] exists (y=1)"))), expected);
  EXPECT_EQ(dump(parse_test(with_condition("regions: x:PROP locations [x;] exists (y=1)"))), expected);
  EXPECT_EQ(error_in_condition("LK q:atomic"), "4: unknown location 'q'");
  EXPECT_EQ(error_in_condition("LK x, y"), "5: expected ':' after the location, found ','");
  EXPECT_EQ(error_in_condition("regions: x:"), "6:1: expected the kind of the location, found end of file");
}

TEST(Conditions, FiltersAreKept) {
  const LitmusTest test = parse_test(with_condition("locations [x;] filter (0:r0=1 /\\ y=2) exists (x=1)"));
  ASSERT_TRUE(test.filter.has_value());
  EXPECT_EQ(dump(test, *test.filter), "(and 0:r0=1 y=2)");
  EXPECT_EQ(dump(test, *parse_test(with_condition("filter x=1 locations [x]")).filter), "x=1");
  EXPECT_EQ(parse_test(with_condition("filter x=1 forall y=1")).quantifier, Quantifier::kForall);
}

TEST(Conditions, ObservablesAreSortedAndUnique) {
  const auto names = [](const std::string& text) {
    const LitmusTest test = parse_test(with_condition(text));
    std::string all;
    for (const auto& observable : test.observables()) all += test.name_of(observable) + " ";
    return all;
  };
  EXPECT_EQ(names("locations [y; 1:r0;] filter (0:r1=7) exists (x=1 /\\ 1:p=x /\\ 0:r0=1 /\\ y=[x] /\\ 1:r0=0:r0)"),
            "0:r0 1:p 1:r0 x y ");
}

TEST(Conditions, UnknownNamesAreErrors) {
  EXPECT_EQ(error_in_condition("exists (0:r9=1)"), "11: unknown register 'r9' in P0");
  EXPECT_EQ(error_in_condition("exists (z=1)"), "9: unknown location 'z'");
  EXPECT_EQ(error_in_condition("exists ([z]=1)"), "10: unknown location 'z'");
  EXPECT_EQ(error_in_condition("exists (1:p=z)"), "13: unknown location 'z'");
  EXPECT_EQ(error_in_condition("exists (7:r0=1)"), "9: there is no thread '7'");
  EXPECT_EQ(error_in_condition("exists (P7:r0=1)"), "9: there is no thread 'P7'");
  EXPECT_EQ(error_in_condition("exists (0:r0=1:r8)"), "16: unknown register 'r8' in P1");
  EXPECT_EQ(error_in_condition("locations [q;]"), "12: unknown location 'q'");
  EXPECT_EQ(error_in_condition("filter (0:q=1)"), "11: unknown register 'q' in P0");
}

TEST(Conditions, MistakesAreErrors) {
  EXPECT_EQ(error_in_condition("exists"), "6:1: expected a register such as '0:r0' or a location, found end of file");
  EXPECT_EQ(error_in_condition("exists (x=1 /\\ )"), "16: expected a register such as '0:r0' or a location, found ')'");
  EXPECT_EQ(error_in_condition("exists (x=1"), "6:1: expected ')' to close the parenthesis, found end of file");
  EXPECT_EQ(error_in_condition("exists (x)"), "10: expected '=' or another comparison, found ')'");
  EXPECT_EQ(error_in_condition("exists (x=)"), "11: expected a value, found ')'");
  EXPECT_EQ(error_in_condition("exists (x=99999999999999999999)"), "11: the number is out of range (64 bits)");
  EXPECT_EQ(error_in_condition("exists (x=1) exists (y=1)"),
            "14: expected '/\\', '\\/' or the end of the file, found 'exists'");
  EXPECT_EQ(error_in_condition("exists (x=1 y=1)"), "13: expected ')' to close the parenthesis, found 'y'");
  EXPECT_EQ(error_in_condition("~forall (x=1)"), "2: expected 'exists' after 'not', found 'forall'");
  EXPECT_EQ(error_in_condition("locations x"), "11: expected '[' after 'locations', found 'x'");
  EXPECT_EQ(error_in_condition("locations [x y]"), "14: expected ';' or ']' in 'locations', found 'y'");
  EXPECT_EQ(error_in_condition("locations [x"), "6:1: expected ';' or ']' in 'locations', found end of file");
  EXPECT_EQ(error_in_condition("filter (x=1) filter (y=1)"), "14: a second 'filter'");
  EXPECT_EQ(error_in_condition("locations [x] 5"), "15: expected 'exists', '~exists' or 'forall', found '5'");
  EXPECT_EQ(error_in_condition("exists (x[0]=1)"), "10: unsupported array");
  EXPECT_EQ(error_in_condition("exists (fault(P0,x))"), "9: unsupported 'fault'");
  EXPECT_EQ(error_in_condition("exists (x=1) with sc: ~exists;"), "14: unsupported 'with'");
}

}  // namespace
}  // namespace ordeal::litmus::testing
