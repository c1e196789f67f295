// The table of locations goes back to a milestone.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <vector>

#include "location_table.h"
#include "runtime/layout.h"

namespace ordeal::runtime::testing {
namespace {

class LocationMilestones : public LocationTable {
 protected:
  Locations::Image keep() {
    Locations::Image image;
    locations_.keep(image);
    return image;
  }
  const NativeLocation& look(LocationId location) const { return locations_[location]; }
};

TEST_F(LocationMilestones, WhatALocationHoldsIsAsItWas) {
  poke(0, 5);
  const LocationId location = at(0, 8);
  locations_.put(location, 6);
  const Locations::Image image = keep();
  for (int turn = 0; turn < 2; ++turn) {
    locations_.put(location, 7);
    EXPECT_EQ(look(location).held, 7);
    locations_.go_back(image);
    EXPECT_EQ(look(location).held, 6);
    EXPECT_EQ(locations_.initial(location), 5);
    EXPECT_TRUE(locations_.is_known(address(0), 8));
  }
}

TEST_F(LocationMilestones, ALocationThatCameUpSinceIsNotKnown) {
  const LocationId before = at(0, 8);
  const Locations::Image image = keep();
  poke(16, 1);
  const LocationId after = at(16, 8);
  EXPECT_EQ(locations_.initial(after), 1);
  locations_.go_back(image);
  EXPECT_TRUE(locations_.is_known(address(0), 8));
  EXPECT_FALSE(locations_.is_known(address(16), 8));
  poke(16, 2);
  EXPECT_EQ(at(16, 8), after) << "its number stays";
  EXPECT_EQ(locations_.initial(after), 2) << "its first access takes the initial value";
  EXPECT_EQ(look(after).held, 2);
  EXPECT_EQ(at(0, 8), before);
}

TEST_F(LocationMilestones, ALocationOfAnEarlierExecutionTakesItsInitialValueAgain) {
  poke(0, 1);
  const LocationId location = at(0, 8);
  begin_execution();
  const Locations::Image image = keep();
  for (std::uint64_t value = 2; value < 5; ++value) {
    poke(0, value);
    EXPECT_FALSE(locations_.is_known(address(0), 8));
    EXPECT_EQ(at(0, 8), location);
    EXPECT_EQ(locations_.initial(location), static_cast<Value>(value));
    locations_.go_back(image);
  }
}

TEST_F(LocationMilestones, WhoHoldsAMutexIsAsItWas) {
  const LocationId held = locations_.at(address(0), 0, LocationSort::kMutex), free = locations_.at(address(64), 0, LocationSort::kMutex);
  locations_[held].holder = 3;
  locations_[held].depth = 2;
  const Locations::Image image = keep();
  for (int turn = 0; turn < 2; ++turn) {
    locations_[held].holder = -1;
    locations_[held].depth = 0;
    locations_[free].holder = 1;
    locations_[free].depth = 1;
    locations_.go_back(image);
    EXPECT_EQ(look(held).holder, 3);
    EXPECT_EQ(look(held).depth, 2);
    EXPECT_EQ(look(free).holder, -1);
    EXPECT_EQ(look(free).depth, 0);
  }
}

TEST_F(LocationMilestones, WhetherNobodyWroteItIsAsItWas) {
  const auto block = reinterpret_cast<std::uintptr_t>(ProgramHeap::allocate(0, 0, 8, 1, false, 0));
  const Locations::Image image = keep();
  const LocationId location = locations_.at(block, 8, LocationSort::kMemory);
  EXPECT_TRUE(look(location).is_uninitialised);
  locations_.go_back(image);
  *reinterpret_cast<std::uint64_t*>(block) = 1;
  EXPECT_EQ(locations_.at(block, 8, LocationSort::kMemory), location);
  EXPECT_FALSE(look(location).is_uninitialised);
}

// --- sizes (see also location_bytes_test.cpp) ------------------------------------------------------------------------------

TEST_F(LocationMilestones, ASizeThatCameUpSinceIsNotMixed) {
  const LocationId large = at(0, 8);
  const Locations::Image image = keep();
  at(0, 4);
  EXPECT_TRUE(locations_.is_mixed(large));
  locations_.go_back(image);
  EXPECT_FALSE(locations_.is_mixed(large));
  EXPECT_TRUE(locations_.has_overlaps(large));
}

// --- several, executions ---------------------------------------------------------------------------------------------

TEST_F(LocationMilestones, ThereMayBeSeveral) {
  const LocationId location = at(0, 8), seldom = at(8, 8);
  std::vector<Locations::Image> images;
  for (int i = 0; i < 5; ++i) {
    locations_.put(location, 10 + i);
    if (i % 2 == 0) locations_.put(seldom, 20 + i);
    images.push_back(keep());
  }
  for (std::size_t milestone = 5; milestone-- > 0;) {
    locations_.put(location, 99);
    locations_.put(seldom, 99);
    locations_.go_back(images[milestone]);
    EXPECT_EQ(look(location).held, 10 + static_cast<Value>(milestone));
    EXPECT_EQ(look(seldom).held, 20 + static_cast<Value>(milestone / 2 * 2));
  }
}

TEST_F(LocationMilestones, NewOnesMayComeBehindOneThatWasReturnedTo) {
  const LocationId location = at(0, 8);
  locations_.put(location, 1);
  const Locations::Image first = keep();
  locations_.put(location, 2);
  keep();
  locations_.go_back(first);
  locations_.put(location, 3);
  const Locations::Image second = keep();  // in the place of the one that is lost
  locations_.put(location, 4);
  locations_.go_back(second);
  EXPECT_EQ(look(location).held, 3);
  locations_.go_back(first);
  EXPECT_EQ(look(location).held, 1);
}

TEST_F(LocationMilestones, TheNextExecutionHasNone) {
  const LocationId location = at(0, 8);
  keep();
  locations_.put(location, 2);
  begin_execution();
  poke(0, 3);
  at(0, 8);
  const Locations::Image image = keep();
  EXPECT_EQ(image.changes, 0U);
  locations_.put(location, 4);
  locations_.go_back(image);
  EXPECT_EQ(look(location).held, 3);
}

// --- stacks ----------------------------------------------------------------------------------------------------------

class StackMilestones : public LocationMilestones {
 protected:
  static constexpr int kThread = 3;
  static constexpr std::size_t kMapped = 4096;
  static constexpr std::uintptr_t kFrame = stack_end(kThread) - 256;

  void SetUp() override {
    void* low = reinterpret_cast<void*>(stack_end(kThread) - kMapped);
    ASSERT_EQ(mmap(low, kMapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0), low);
  }
  void TearDown() override { munmap(reinterpret_cast<void*>(stack_end(kThread) - kMapped), kMapped); }
  LocationId local(std::uintptr_t address = kFrame) { return locations_.at(address, 4, LocationSort::kMemory); }
  void end_call() { locations_.retire_below(kThread, kFrame + 64); }
};

TEST_F(StackMilestones, ACallThatHasEndedSinceIsUnderWayAgain) {
  const LocationId first = local();
  const Locations::Image image = keep();
  LocationId second = Locations::kUnknown;
  for (int turn = 0; turn < 3; ++turn) {
    end_call();
    EXPECT_FALSE(locations_.is_known(kFrame, 4));
    if (turn == 0) second = local();
    EXPECT_EQ(local(), second) << "the generations are those of the first time";
    EXPECT_NE(second, first);
    locations_.go_back(image);
    EXPECT_TRUE(locations_.is_known(kFrame, 4));
    EXPECT_EQ(local(), first);
  }
}

TEST_F(StackMilestones, GenerationsGoOnFromWhereTheyWere) {
  std::vector<LocationId> generations;
  std::vector<Locations::Image> images;
  for (int i = 0; i < 4; ++i) {
    generations.push_back(local());
    images.push_back(keep());
    end_call();
  }
  generations.push_back(local());
  for (std::size_t milestone = 4; milestone-- > 0;) {
    locations_.go_back(images[milestone]);
    EXPECT_EQ(local(), generations[milestone]);
    end_call();
    EXPECT_EQ(local(), generations[milestone + 1]);
  }
}

TEST_F(StackMilestones, WhatCameUpSinceIsNotOnTheStack) {
  local(kFrame + 8);
  const Locations::Image image = keep();
  const LocationId after = local();
  locations_.go_back(image);
  end_call();  // only one of the two is there to be retired
  EXPECT_EQ(local(), after);
  EXPECT_TRUE(locations_.is_known(kFrame, 4));
  EXPECT_FALSE(locations_.is_known(kFrame + 8, 4));
}

TEST_F(StackMilestones, AStackThatNobodyHadLookedAtIsEmptyAgain) {
  const Locations::Image image = keep();
  const LocationId location = local();
  locations_.go_back(image);
  end_call();
  EXPECT_EQ(local(), location);
}

}  // namespace
}  // namespace ordeal::runtime::testing
