#include <gtest/gtest.h>

#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

std::string types_of(const std::string& text) {
  const LitmusTest test = parse_test(text);
  std::string types = dump_locations(test);
  for (const auto& thread : test.threads) types += " | " + dump_variables(test, thread);
  return types;
}

TEST(AddressWidth, IntegersThatMayHoldAnAddressAreWide) {
  EXPECT_EQ(types_of("C t { p = &x; } P0 (atomic_int* p) { int r0 = atomic_load(p); int r1 = r0; int r2 = 1; }"),
            "atomic i64 p = &x; i32 x = 0 | (atomic i32* p = &p); i64 r0 = 0; i64 r1 = 0; i32 r2 = 0");
}

TEST(AddressWidth, AddressesAreFollowedThroughMemory) {
  EXPECT_EQ(types_of("C t {} P0 (atomic_int* p, int* x) { atomic_store(p, x); }"
                     " P1 (atomic_int* p, int* q) { int r0 = atomic_exchange(p, 0); *q = r0; }"),
            "atomic i64 p = 0; i32 x = 0; i64 q = 0 | (atomic i32* p = &p); (i32* x = &x) | (atomic i32* p = &p); "
            "(i32* q = &q); i64 r0 = 0");
}

TEST(AddressWidth, CompareExchangesCopyBothWays) {
  EXPECT_EQ(
      types_of("C t { p = &x; } P0 (atomic_int* p) { int e; int ok = atomic_compare_exchange_strong(p, &e, 1); }"),
      "atomic i64 p = &x; i32 x = 0 | (atomic i32* p = &p); i64 e = 0; i32 ok = 0");
  EXPECT_EQ(types_of("C t {} P0 (atomic_int* p, int* e, int* x) { atomic_compare_exchange_strong(p, e, x); }"),
            "atomic i64 p = 0; i64 e = 0; i32 x = 0 | (atomic i32* p = &p); (i32* e = &e); (i32* x = &x)");
}

TEST(AddressWidth, UnknownPointersMayPointAnywhere) {
  EXPECT_EQ(types_of("C t {} P0 (int** p, int* x, int* y) { int* q = *p; *q = y; int r0 = *(x + 0); }"),
            "i32* p = 0; i64 x = 0; i64 y = 0 | (i32** p = &p); (i32* x = &x); (i32* y = &y); i32* q = 0; i64 r0 = 0");
}

TEST(AddressWidth, AParameterThatIsAssignedMayPointAnywhere) {
  EXPECT_EQ(types_of("C t {} P0 (int* x, int* y, int* z) { x = y; *x = z; }"),
            "i64 x = 0; i64 y = 0; i64 z = 0 | (i32* x = &x); (i32* y = &y); (i32* z = &z)");
}

TEST(AddressWidth, ConditionsAndComparisonsGiveNoAddresses) {
  EXPECT_EQ(types_of("C t {} P0 (int* x, int* y) { int r0 = x == y; int r1 = !x; int r2 = r0 ? 1 : 2; bool b = x; }"),
            "i32 x = 0; i32 y = 0 | (i32* x = &x); (i32* y = &y); i32 r0 = 0; i32 r1 = 0; i32 r2 = 0; bool b = 0");
}

TEST(AddressWidth, TestsWithoutAddressesAreLeftAlone) {
  EXPECT_EQ(types_of("C t {} P0 (atomic_int* x, int* y) { int r0 = atomic_fetch_add(x, 1); *y = r0; uint8_t b = *y; }"),
            "atomic i32 x = 0; i32 y = 0 | (atomic i32* x = &x); (i32* y = &y); i32 r0 = 0; u8 b = 0");
}

}  // namespace
}  // namespace ordeal::litmus::testing
