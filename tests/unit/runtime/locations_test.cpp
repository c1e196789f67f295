#include "runtime/locations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "base/rng.h"
#include "location_table.h"

namespace ordeal::runtime::testing {
namespace {

// --- identity --------------------------------------------------------------------------------------------------------

TEST_F(LocationTable, ALocationIsAnAddressASizeAndASort) {
  const auto look_up_all = [&] {
    std::vector<LocationId> found;
    for (const std::size_t offset : {0, 8, 64})
      for (const LocationSort sort : {LocationSort::kMemory, LocationSort::kMutex, LocationSort::kCondition, LocationSort::kAnnotation})
        for (const std::uint32_t size : {1U, 2U, 4U, 8U, 16U}) found.push_back(locations_.at(address(offset), size, sort));
    return found;
  };
  const std::vector<LocationId> first = look_up_all();
  EXPECT_EQ(std::set<LocationId>(first.begin(), first.end()).size(), first.size());
  EXPECT_EQ(locations_.count(), static_cast<int>(first.size()));
  EXPECT_EQ(look_up_all(), first);
  begin_execution();
  EXPECT_EQ(look_up_all(), first);  // graphs of different executions are compared
  EXPECT_EQ(locations_.count(), static_cast<int>(first.size()));
}

TEST_F(LocationTable, FindsAllWhenItHasGrown) {
  std::vector<LocationId> ids;
  for (std::size_t offset = 0; offset < sizeof memory_; offset += 4) ids.push_back(at(offset, 4));
  EXPECT_EQ(std::set<LocationId>(ids.begin(), ids.end()).size(), sizeof memory_ / 4);
  for (int execution = 0; execution < 2; ++execution) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      EXPECT_EQ(at(i * 4, 4), ids[i]);
      EXPECT_EQ(locations_[ids[i]].address, address(i * 4));
      EXPECT_TRUE(locations_.is_known(address(i * 4), 4));
    }
    begin_execution();
  }
}

// Where they are does not matter for mutexes: some of these collide in the table.
TEST_F(LocationTable, FindsAllAtRandomAddresses) {
  const auto mutex = [&](std::uint64_t i) { return locations_.at(base::mix(i) >> 17, 0, LocationSort::kMutex); };
  std::vector<LocationId> ids;
  for (std::uint64_t i = 1; i <= 2000; ++i) ids.push_back(mutex(i));
  EXPECT_EQ(std::set<LocationId>(ids.begin(), ids.end()).size(), ids.size());
  for (std::uint64_t i = 1; i <= 2000; ++i) EXPECT_EQ(mutex(i), ids[i - 1]);
}

TEST_F(LocationTable, KnowsWhatWasAccessedInThisExecution) {
  EXPECT_FALSE(locations_.is_known(address(0), 4));
  at(0, 4);
  locations_.at(address(32), 4, LocationSort::kMutex);
  EXPECT_TRUE(locations_.is_known(address(0), 4));
  EXPECT_FALSE(locations_.is_known(address(0), 8));
  EXPECT_FALSE(locations_.is_known(address(4), 4));
  EXPECT_FALSE(locations_.is_known(address(32), 4));  // that is no memory location
  begin_execution();
  EXPECT_FALSE(locations_.is_known(address(0), 4));
  at(0, 4);
  EXPECT_TRUE(locations_.is_known(address(0), 4));
}

// --- values ----------------------------------------------------------------------------------------------------------

TEST_F(LocationTable, TheInitialValueIsWhatMemoryHoldsAtTheFirstAccessOfAnExecution) {
  poke(8, 41);
  const LocationId location = at(8, 8);
  EXPECT_EQ(locations_.initial(location), 41);
  poke(8, 42);
  at(8, 8);
  EXPECT_EQ(locations_.initial(location), 41);
  begin_execution();
  at(8, 8);
  EXPECT_EQ(locations_.initial(location), 42);
}

TEST_F(LocationTable, ALocationHasExactlyItsBytes) {
  std::memset(memory_, 0xFF, 64);
  EXPECT_EQ(locations_.initial(at(16, 1)), 0xFF);
  EXPECT_EQ(locations_.initial(at(16, 2)), 0xFFFF);
  EXPECT_EQ(locations_.initial(at(16, 4)), 0xFFFFFFFF);
  EXPECT_EQ(locations_.initial(at(16, 8)), -1);  // all 64 bits
  for (const std::uint32_t size : {1U, 2U, 4U, 8U, 16U}) {
    std::memset(memory_, 0xFF, 64);
    locations_.put(at(16, size), 0);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(memory_[i], i >= 16 && i < 16 + size ? 0 : 0xFF) << size << ": " << i;
  }
}

TEST_F(LocationTable, RemembersWhatWasPutThere) {
  poke(0, 5, 2);
  const LocationId location = at(0, 2);
  EXPECT_EQ(locations_[location].held, 5);
  locations_.put(location, 0x12345);  // the value of a wider type
  EXPECT_EQ(locations_[location].held, 0x2345);
  EXPECT_EQ(locations_.load(address(0), 2), 0x2345);
  EXPECT_EQ(locations_.initial(location), 5);
  poke(0, 9, 2);
  EXPECT_EQ(locations_[location].held, 0x2345);
}

TEST_F(LocationTable, SyncObjectsDoNotTouchTheirMemory) {
  const LocationId mutex = locations_.at(8, 0, LocationSort::kMutex);  // nothing is mapped there
  locations_[mutex].holder = 3;
  locations_[mutex].depth = 2;
  EXPECT_EQ(locations_.at(8, 0, LocationSort::kMutex), mutex);
  EXPECT_EQ(locations_[mutex].holder, 3);
  EXPECT_EQ(locations_.initial(mutex), 0);
  begin_execution();
  locations_.at(8, 0, LocationSort::kMutex);
  EXPECT_EQ(locations_[mutex].holder, -1);
  EXPECT_EQ(locations_[mutex].depth, 0);
}

TEST_F(LocationTable, ValuesOf16BytesAreNumbered) {
  const unsigned __int128 low = 7, high = low << 64, both = low | high;
  EXPECT_EQ(locations_.intern(0), 0);
  EXPECT_EQ(locations_.wide(0), 0U);
  std::set<Value> numbers{0};
  for (const unsigned __int128 value : {low, high, both, ~low}) {
    const Value number = locations_.intern(value);
    EXPECT_TRUE(numbers.insert(number).second);
    EXPECT_EQ(locations_.intern(value), number);
    EXPECT_TRUE(locations_.wide(number) == value);
  }
  begin_execution();
  EXPECT_TRUE(locations_.wide(locations_.intern(both)) == both);
  EXPECT_EQ(numbers.count(locations_.intern(both)), 1U);
}

TEST_F(LocationTable, A16ByteLocationHoldsTheNumberOfItsValue) {
  EXPECT_EQ(locations_.initial(at(0, 16)), 0);
  poke(16, 1), poke(24, 2);
  const LocationId location = at(16, 16);
  EXPECT_TRUE(locations_.wide(locations_.initial(location)) == ((static_cast<unsigned __int128>(2) << 64) | 1));
  const Value other = locations_.intern(static_cast<unsigned __int128>(3) << 64 | 4);
  locations_.put(location, other);
  EXPECT_EQ(locations_.load(address(16), 8), 4);
  EXPECT_EQ(locations_.load(address(24), 8), 3);
  EXPECT_EQ(locations_.load(address(16), 16), other);
  EXPECT_EQ(locations_[location].held, other);
}

// --- memory that nobody initialised ----------------------------------------------------------------------------------

/// Of the first four bytes of a new block, accessed for the first time after `prepare(their address)`.
template <class Prepare>
bool is_uninitialised(Locations& locations, bool clear, Prepare&& prepare) {
  const auto block = reinterpret_cast<std::uintptr_t>(ProgramHeap::allocate(0, 0, 8, 1, clear, 0));
  prepare(block);
  return locations[locations.at(block, 4, LocationSort::kMemory)].is_uninitialised;
}
/// The program writes what is there already.
void note_write(std::uintptr_t address, std::size_t size) {
  const base::ClockEntry hb[kMaxThreads] = {};
  Shadow::Result result;
  Shadow::note({.address = address, .size = size, .is_write = true}, hb, result);
}

TEST_F(LocationTable, NewMemoryIsUninitialisedUntilSomebodyWritesAllOfIt) {
  EXPECT_TRUE(is_uninitialised(locations_, false, [](std::uintptr_t) {}));
  EXPECT_TRUE(is_uninitialised(locations_, false, [](std::uintptr_t at) { note_write(at, 3); }));
  EXPECT_TRUE(is_uninitialised(locations_, false, [](std::uintptr_t at) { note_write(at + 4, 4); }));
  EXPECT_FALSE(is_uninitialised(locations_, false, [](std::uintptr_t at) { note_write(at, 4); }));
  EXPECT_FALSE(is_uninitialised(locations_, false, [](std::uintptr_t at) { note_write(at, 8); }));
  EXPECT_FALSE(is_uninitialised(locations_, false, [](std::uintptr_t at) { *reinterpret_cast<int*>(at) = 1; }));
  EXPECT_FALSE(is_uninitialised(locations_, true, [](std::uintptr_t) {}));
  EXPECT_FALSE(locations_[at(0, 4)].is_uninitialised);  // no heap
}

TEST_F(LocationTable, WhatWasInitialisedInTheLastExecutionIsUninitialisedAgain) {
  EXPECT_FALSE(is_uninitialised(locations_, false, [](std::uintptr_t at) { note_write(at, 4); }));
  begin_execution();
  EXPECT_TRUE(is_uninitialised(locations_, false, [](std::uintptr_t) {}));
  begin_execution();
  EXPECT_FALSE(is_uninitialised(locations_, false, [](std::uintptr_t at) { note_write(at, 4); }));
}

// --- accesses of several sizes ---------------------------------------------------------------------------------------

TEST_F(LocationTable, IsMixedIfBytesWereAccessedWithAnotherSizeInThisExecution) {
  for (const std::size_t small : {0, 4, 8, 12, 16}) {
    begin_execution();
    const LocationId large = at(4, 8);  // not aligned: bytes 4 to 11
    EXPECT_FALSE(locations_.is_mixed(large));
    const LocationId other = at(small, 4);
    const bool expected = small == 4 || small == 8;
    EXPECT_EQ(locations_.is_mixed(large), expected) << small;
    EXPECT_EQ(locations_.is_mixed(other), expected) << small;
    begin_execution();
    at(4, 8);
    EXPECT_FALSE(locations_.is_mixed(large)) << small;
  }
}

TEST_F(LocationTable, SyncObjectsMixWithNothing) {
  const LocationId location = at(0, 8);
  for (const LocationSort sort : {LocationSort::kMutex, LocationSort::kCondition, LocationSort::kAnnotation})
    EXPECT_FALSE(locations_.is_mixed(locations_.at(address(0), 4, sort)));
  EXPECT_FALSE(locations_.is_mixed(location));
  EXPECT_FALSE(locations_.has_overlaps(location));
}

}  // namespace
}  // namespace ordeal::runtime::testing
