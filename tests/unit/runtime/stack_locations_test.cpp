// Locations on stacks: what a function had is gone when it has returned.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "location_table.h"
#include "runtime/layout.h"
#include "runtime/locations.h"

namespace ordeal::runtime::testing {
namespace {

/// With the upper end of the stack of thread 2.
class StackLocations : public LocationTable {
 protected:
  static constexpr int kThread = 2;
  static constexpr std::size_t kMapped = 4096;
  static constexpr std::uintptr_t kFrame = stack_end(kThread) - 256;

  void SetUp() override {
    void* at = reinterpret_cast<void*>(stack_end(kThread) - kMapped);
    ASSERT_EQ(mmap(at, kMapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0), at);
  }
  void TearDown() override { munmap(reinterpret_cast<void*>(stack_end(kThread) - kMapped), kMapped); }
  LocationId on_stack(std::uintptr_t address, std::uint32_t size = 4) { return locations_.at(address, size, LocationSort::kMemory); }
  static void poke_stack(std::uintptr_t address, int value) { std::memcpy(reinterpret_cast<void*>(address), &value, sizeof value); }
};

TEST_F(StackLocations, WhatWasOnTheStackOfAFunctionThatHasReturnedIsGone) {
  poke_stack(kFrame, 1);
  const LocationId first = on_stack(kFrame);
  EXPECT_EQ(locations_.initial(first), 1);
  locations_.retire_below(kThread, kFrame + 64);
  EXPECT_FALSE(locations_.is_known(kFrame, 4));
  poke_stack(kFrame, 2);
  const LocationId second = on_stack(kFrame);
  EXPECT_NE(second, first);
  EXPECT_EQ(locations_.initial(second), 2);
  EXPECT_EQ(locations_.initial(first), 1);  // the graph still asks
  EXPECT_EQ(locations_[second].address, kFrame);
  EXPECT_EQ(locations_[second].size, 4U);
  EXPECT_TRUE(locations_.is_known(kFrame, 4));
  EXPECT_EQ(on_stack(kFrame), second);
}

TEST_F(StackLocations, WhatIsAboveTheBoundStays) {
  const LocationId below = on_stack(kFrame), above = on_stack(kFrame + 8);
  locations_.retire_below(kThread, kFrame + 8);
  EXPECT_TRUE(locations_.is_known(kFrame + 8, 4));
  EXPECT_EQ(on_stack(kFrame + 8), above);
  EXPECT_NE(on_stack(kFrame), below);
}

TEST_F(StackLocations, OtherThreadsReturningChangesNothing) {
  const LocationId location = on_stack(kFrame);
  for (const int thread : {0, 1, 3, 200}) locations_.retire_below(thread, stack_end(thread));
  EXPECT_EQ(on_stack(kFrame), location);
}

TEST_F(StackLocations, WhatIsNotOnAStackStays) {
  poke(0, 1);
  on_stack(kFrame);
  const LocationId global = at(0, 8);
  locations_.retire_below(kThread, ~std::uintptr_t{0});
  EXPECT_EQ(at(0, 8), global);
  EXPECT_TRUE(locations_.is_known(address(0), 8));
}

TEST_F(StackLocations, SyncObjectsAreGoneToo) {
  const LocationId mutex = locations_.at(kFrame, 0, LocationSort::kMutex);
  locations_[mutex].holder = 1;
  locations_.retire_below(kThread, stack_end(kThread));
  const LocationId next = locations_.at(kFrame, 0, LocationSort::kMutex);
  EXPECT_NE(next, mutex);
  EXPECT_EQ(locations_[next].holder, -1);
}

TEST_F(StackLocations, EachExecutionHasTheSameGenerations) {
  std::vector<LocationId> first;
  for (int execution = 0; execution < 3; ++execution) {
    std::vector<LocationId> generations;
    for (int i = 0; i < 4 - execution; ++i) {
      generations.push_back(on_stack(kFrame));
      locations_.retire_below(kThread, stack_end(kThread));
      locations_.retire_below(kThread, stack_end(kThread));  // there is nothing any more
    }
    if (execution == 0) first = generations;
    EXPECT_TRUE(std::equal(generations.begin(), generations.end(), first.begin()));
    EXPECT_EQ(std::set<LocationId>(generations.begin(), generations.end()).size(), generations.size());
    begin_execution();
  }
}

TEST_F(StackLocations, OneMayBeUsedForAnotherSize) {
  const auto write = [&](LocationId location) { locations_.note_written(locations_[location]); };
  write(on_stack(kFrame, 8));
  const LocationId inside = on_stack(kFrame, 4);
  EXPECT_TRUE(locations_.must_begin_again(inside));
  write(locations_.begin_again(inside, {}));
  EXPECT_TRUE(locations_.must_begin_again(on_stack(kFrame, 8)));
  locations_.retire_below(kThread, stack_end(kThread));
  const LocationId small = on_stack(kFrame, 4);
  EXPECT_FALSE(locations_.is_mixed(small));
  EXPECT_FALSE(locations_.must_begin_again(small)) << "all generations are gone";
  write(small);
  locations_.retire_below(kThread, stack_end(kThread));
  const LocationId large = on_stack(kFrame, 8);
  EXPECT_FALSE(locations_.is_mixed(large));
  EXPECT_FALSE(locations_.must_begin_again(large));
}

TEST_F(StackLocations, ManyCallsHaveManyGenerations) {
  std::set<LocationId> generations;
  LocationId last = Locations::kUnknown;
  for (int call = 0; call < 30; ++call) {
    const LocationId location = last = on_stack(kFrame);
    EXPECT_TRUE(generations.insert(location).second);
    EXPECT_FALSE(locations_.is_mixed(location));
    locations_.retire_below(kThread, stack_end(kThread));
  }
  for (int call = 0; call < 100; ++call) {  // more than are told apart; but those before do not come back
    const LocationId location = on_stack(kFrame);
    EXPECT_TRUE(location == last || generations.insert(location).second);
    EXPECT_EQ(locations_[location].address, kFrame);
    last = location;
    locations_.retire_below(kThread, stack_end(kThread));
  }
}

}  // namespace
}  // namespace ordeal::runtime::testing
