#include "runtime/test_heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "base/rng.h"
#include "runtime/race_shadow.h"
#include "tests/support/scale.h"
#include "tests/unit/runtime/opened_shadow.h"

namespace ordeal::runtime::testing {
namespace {

/// The addresses are those of the other heap (heap.h): a process has one of them.
template <class Body>
void in_a_process_of_its_own(Body body) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // it begins anew
  EXPECT_EXIT((body(), std::exit(::testing::Test::HasFailure() ? 1 : 0)), ::testing::ExitedWithCode(0), "");
}

std::uintptr_t take(std::size_t size, int thread = 0, std::uint32_t site = 0) {
  return reinterpret_cast<std::uintptr_t>(TestHeap::allocate(thread, size, 16, false, 0, {AllocatedBy::kMalloc, 0, site}));
}

// The slot of an address is found by a multiplication: exactly, wherever the address is.
TEST(TestHeap, FindsTheBlockOfEachByte) {
  in_a_process_of_its_own([] {
    base::Rng rng(1);
    std::map<std::uintptr_t, std::size_t> blocks;
    for (int i = 0; i < tests::scaled(3000); ++i) {
      const std::size_t size = static_cast<std::size_t>(rng.chance(80) ? rng.below(400) : rng.below(20000));
      blocks[take(size)] = size;
    }
    for (const auto& [address, size] : blocks) {
      for (const std::size_t at : {std::size_t{0}, size / 2, std::max<std::size_t>(size, 1) - 1}) {
        EXPECT_EQ(TestHeap::find(address + at).address, address);
        EXPECT_EQ(TestHeap::find(address + at).size, size);
      }
      EXPECT_EQ(TestHeap::find(address - 1).address, 0U);
      EXPECT_EQ(TestHeap::find(address + std::max<std::size_t>(size, 1)).address, 0U);
    }
  });
}

TEST(TestHeap, KnowsWhoGotAndWhoFreedABlock) {
  in_a_process_of_its_own([] {
    const std::uintptr_t block = take(40, 1023, 99);
    EXPECT_EQ(TestHeap::find(block).thread, 1023);
    EXPECT_EQ(TestHeap::find(block).freed_by, -1);
    EXPECT_EQ(TestHeap::release(block, 1022, 0), ProgramHeap::FreeResult::kDone);
    EXPECT_EQ(TestHeap::find(block).freed_by, 1022);
    EXPECT_EQ(TestHeap::find(block).size, 40U);
    EXPECT_EQ(TestHeap::release(block, 1, 0), ProgramHeap::FreeResult::kTwice);
  });
}

// A race with who got a block names the place where it got it, unless it has used the block later.
TEST(TestHeap, KnowsWhereABlockWasGivenOut) {
  in_a_process_of_its_own([] {
    const std::uintptr_t alone = take(40, 1, 98);
    EXPECT_EQ(TestHeap::where_given_out(alone, 1, 0), 0U);
    if (!has_race_shadow()) return;  // a sanitizer may not give the addresses
    RaceShadow::is_watching = true;
    RaceShadow::set_self(2, 7);
    const std::uintptr_t block = take(40, 2, 99);
    EXPECT_EQ(TestHeap::where_given_out(block + 39, 2, 7), 99U);
    EXPECT_EQ(TestHeap::where_given_out(block, 2, 8), 0U);
    EXPECT_EQ(TestHeap::where_given_out(block, 1, 7), 0U);
    TestHeap::release(block, 2, 0);
    EXPECT_EQ(TestHeap::where_given_out(block, 2, 7), 99U);
    RaceShadow::is_watching = false;
  });
}

}  // namespace
}  // namespace ordeal::runtime::testing
