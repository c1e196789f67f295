#include <gtest/gtest.h>

#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

// Every test here has P0 (atomic_int* x, int* y, int r).

TEST(InitialState, LocationsOfParametersExistWithValueZero) {
  EXPECT_EQ(locations_of(""), "atomic i32 x = 0; i32 y = 0");
}

TEST(InitialState, PlainValuesAreRead) {
  EXPECT_EQ(locations_of("x=1; y=2;"), "atomic i32 x = 1; i32 y = 2");
  EXPECT_EQ(locations_of("x=1; y=2"), "atomic i32 x = 1; i32 y = 2");
  EXPECT_EQ(locations_of("y=1, x=2"), "i32 y = 1; atomic i32 x = 2");
  EXPECT_EQ(locations_of("[x]=1; [y]=2;"), "atomic i32 x = 1; i32 y = 2");
  EXPECT_EQ(locations_of("x=-1; y=0x10;"), "atomic i32 x = -1; i32 y = 16");
  EXPECT_EQ(locations_of("x='a'; y=true;;"), "atomic i32 x = 97; i32 y = 1");
  EXPECT_EQ(locations_of("x; y"), "atomic i32 x = 0; i32 y = 0");
}

TEST(InitialState, LocationsMayBeUsedByNoThread) {
  EXPECT_EQ(locations_of("z=3"), "i32 z = 3; atomic i32 x = 0; i32 y = 0");
}

TEST(InitialState, TypesAreRead) {
  EXPECT_EQ(locations_of("int y = 3; atomic_int x=4"), "i32 y = 3; atomic i32 x = 4");
  EXPECT_EQ(locations_of("_Atomic int y; _Atomic(int) x = 1;"), "atomic i32 y = 0; atomic i32 x = 1");
  EXPECT_EQ(locations_of("volatile int y=1; volatile atomic_int x;"), "volatile i32 y = 1; volatile atomic i32 x = 0");
  EXPECT_EQ(locations_of("uint64_t y=5; atomic_uint x"), "u64 y = 5; atomic u32 x = 0");
  EXPECT_EQ(locations_of("atomic_int x = ATOMIC_VAR_INIT(1); atomic_int y = ATOMIC_INIT(2)"),
            "atomic i32 x = 1; atomic i32 y = 2");
  EXPECT_EQ(locations_of("atomic_flag x = ATOMIC_FLAG_INIT; int y = (7)"), "atomic bool x = 0; i32 y = 7");
}

TEST(InitialState, DeclaratorsOfOneDeclarationShareTheType) {
  EXPECT_EQ(locations_of("uint8_t x = 1, y, *z = &y; a = 2"), "atomic u8 x = 1; u8 y = 0; u8* z = &y; i32 a = 2");
}

TEST(InitialState, ALocationIsAtomicIfAThreadSaysSo) {
  EXPECT_EQ(locations_of("int x = 1; uint8_t y"), "atomic i32 x = 1; u8 y = 0");
  EXPECT_EQ(dump_locations(parse_test("C t {} P0 (int* x) {} P1 (atomic_int* x) {} P2 (volatile int* x) {}")),
            "atomic i32 x = 0");
  EXPECT_EQ(dump_locations(parse_test("C t {} P0 (volatile int* x) {} P1 (int* x) {}")), "volatile i32 x = 0");
}

TEST(InitialState, ValuesAreConvertedToTheType) {
  EXPECT_EQ(locations_of("uint8_t x = 257; bool y = 7"), "atomic u8 x = 1; bool y = 1");
  EXPECT_EQ(locations_of("x = 0x80000000; int64_t y = 0x80000000"), "atomic i32 x = -2147483648; i64 y = 2147483648");
}

TEST(InitialState, PointersHoldAddresses) {
  EXPECT_EQ(locations_of("int *p = &y; q = &p; int* s = y; y; x"),
            "i32* p = &y; i64 q = &p; i32* s = &y; i32 y = 0; atomic i32 x = 0");
  EXPECT_EQ(locations_of("p = y; *q = &x"), "i64 p = &y; i32* q = &x; i32 y = 0; atomic i32 x = 0");
  EXPECT_EQ(locations_of("int *p = NULL; atomic_int *q;"),
            "i32* p = 0; atomic i32* q = 0; atomic i32 x = 0; i32 y = 0");
}

TEST(InitialState, AnAddressMakesItsLocationExist) {
  EXPECT_EQ(locations_of("int* p = &fresh"), "i32* p = &fresh; i32 fresh = 0; atomic i32 x = 0; i32 y = 0");
}

std::string variables_of(const std::string& state) {
  const LitmusTest test = parse_test(with_initial_state(state));
  return dump_variables(test, test.threads[0]);
}

TEST(InitialState, ParametersPointToTheirLocations) {
  EXPECT_EQ(variables_of(""), "(atomic i32* x = &x); (i32* y = &y); (i32 r = 0); i32 r5 = 0");
}

TEST(InitialState, RegistersGetValues) {
  EXPECT_EQ(variables_of("0:r5=5; P0:r=6;"), "(atomic i32* x = &x); (i32* y = &y); (i32 r = 6); i32 r5 = 5");
  EXPECT_EQ(variables_of("0:uint8_t r5=257; uint8_t 0:r=-1"),
            "(atomic i32* x = &x); (i32* y = &y); (i32 r = -1); u8 r5 = 1");
  EXPECT_EQ(variables_of("0:r6=7; 0:int* a=y"),
            "(atomic i32* x = &x); (i32* y = &y); (i32 r = 0); i32 r5 = 0; i32* a = &y; i32 r6 = 7");
}

TEST(InitialState, ARegisterOfTheInitialStateNeedsNoDeclaration) {
  const LitmusTest test = parse_test("C t { 0:r1 = 5; 0:p = x; } P0 () { r2 = r1; *p = 1; } P1 (atomic_int* x) {}");
  EXPECT_EQ(Dumper(test, test.threads[0]).dump(test.threads[0].body), "r2 = r1; store[plain](p, 1)");
  EXPECT_EQ(dump_variables(test, test.threads[0]), "i32 r2 = 0; i32 r1 = 5; atomic i32* p = &x");
}

TEST(InitialState, AParameterMayPointElsewhere) {
  EXPECT_EQ(variables_of("0:x=y; 0:y=&x;"), "(atomic i32* x = &y); (i32* y = &x); (i32 r = 0); i32 r5 = 0");
  EXPECT_EQ(variables_of("0:x=x; 0:y=&y"), "(atomic i32* x = &x); (i32* y = &y); (i32 r = 0); i32 r5 = 0");
  EXPECT_EQ(locations_of("0:y=a"), "i32 a = 0; atomic i32 x = 0");
  EXPECT_EQ(variables_of("0:x=0"), "(atomic i32* x = 0); (i32* y = &y); (i32 r = 0); i32 r5 = 0");
}

TEST(InitialState, AValueParameterTakesTheValueOfItsLocation) {
  EXPECT_EQ(variables_of("r = 4"), "(atomic i32* x = &x); (i32* y = &y); (i32 r = 4); i32 r5 = 0");
}

TEST(InitialState, TypeAndValueMayStandApart) {
  EXPECT_EQ(locations_of("atomic_int x; int y = 2; x = 1"), "atomic i32 x = 1; i32 y = 2");
}

std::string error_in_state(const std::string& state) {
  const std::string error = error_of(with_initial_state(state));
  return error.substr(0, 2) == "2:" ? error.substr(2) : error;
}

TEST(InitialState, MistakesAreErrors) {
  EXPECT_EQ(error_in_state("x=1; x=2;"), "7: 'x' is initialised twice");
  EXPECT_EQ(error_in_state("int x; uint8_t x;"), "17: 'x' is initialised twice");
  EXPECT_EQ(error_in_state("x=1 y=2"), "6: expected ';' or '}' after an initial value, found 'y'");
  EXPECT_EQ(error_in_state("x=;"), "4: expected an initial value, found ';'");
  EXPECT_EQ(error_in_state("x=99999999999999999999"), "4: the number is out of range (64 bits)");
  EXPECT_EQ(error_in_state("=1"), "2: expected a location or a register in the initial state, found '='");
  EXPECT_EQ(error_in_state("[x=1"), "4: expected ']' after the location, found '='");
  EXPECT_EQ(error_in_state("int if = 1"),
            "6: expected a location or a register in the initial state, found the keyword 'if'");
  EXPECT_EQ(error_in_state("int x[2] = {0, 0}"), "7: unsupported array");
  EXPECT_EQ(error_in_state("x = {0, 0}"), "6: unsupported array");
  EXPECT_EQ(error_in_state("void x"), "7: a location cannot be of type 'void'");
  EXPECT_EQ(error_in_state("3:r0=1"), "4: there is no thread P3");
  EXPECT_EQ(error_in_state("99999999999:r0=1"), "2: there is no thread '99999999999'");
  EXPECT_EQ(error_in_state("abc:r0=1"), "2: expected a thread number before ':', found 'abc'");
  EXPECT_EQ(error_in_state("struct s x"), "2: unsupported type 'struct'");
  EXPECT_EQ(error_in_state("atomic_t x = ATOMIC_INIT(0)"),
            "2: unsupported type 'atomic_t' (Linux kernel litmus tests are another dialect)");
  EXPECT_EQ(error_of("C t\n{ x=0;\nP0 () {}"), "3:4: expected ';' or '}' after an initial value, found '('");
  EXPECT_EQ(error_of("C t\n{ x=0;"), "2:7: expected a location or a register in the initial state, found end of file");
}

}  // namespace
}  // namespace ordeal::litmus::testing
