#include "runtime/bounds.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/thread.h"

namespace ordeal::runtime::testing {
namespace {

using Names = std::vector<std::string>;

constexpr std::uintptr_t kHere = 0x100, kThere = 0x200;  // places in the code

class UserBounds : public ::testing::Test {
 protected:
  void TearDown() override { Bounds::set(0, 0, false); }

  /// Whether the thread is cut at the place where it has read the store; `is_old`: there is a later one.
  static bool is_cut(Thread& thread, std::uintptr_t place, std::int64_t store, bool is_old = true) {
    engine::Result result;
    result.source = store;
    result.has_later = is_old;
    return Bounds::are_reached(thread, place, result);
  }
  bool is_cut(std::uintptr_t place, std::int64_t store, bool is_old = true) { return is_cut(*thread_, place, store, is_old); }
  /// The same of an operation that reads nothing.
  bool is_cut(std::uintptr_t place) { return is_cut(*thread_, place, -1, false); }

  std::unique_ptr<Thread> thread_ = std::make_unique<Thread>();
};

TEST_F(UserBounds, WithoutOneNothingIsCut) {
  Bounds::set(0, 0, false);
  EXPECT_FALSE(Bounds::any());
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(is_cut(kHere, 5));
    ++thread_->yields;
  }
  EXPECT_EQ(Bounds::reached(), Names{});
}

TEST_F(UserBounds, AnyIsTrueForEach) {
  Bounds::set(1, 0, false);
  EXPECT_TRUE(Bounds::any());
  Bounds::set(0, 1, false);
  EXPECT_TRUE(Bounds::any());
  Bounds::set(0, 0, true);
  EXPECT_TRUE(Bounds::any());
}

// --- loop ------------------------------------------------------------------------------------------------------------

TEST_F(UserBounds, AThreadComesToAPlaceAsOftenAsTheLoopBoundSays) {
  for (const int bound : {1, 2, 7}) {
    thread_ = std::make_unique<Thread>();
    Bounds::set(static_cast<std::uint64_t>(bound), 0, false);
    for (int visit = 1; visit <= bound; ++visit) EXPECT_FALSE(is_cut(kHere)) << bound << ": " << visit;
    EXPECT_EQ(Bounds::reached(), Names{});
    EXPECT_TRUE(is_cut(kHere)) << bound;
    EXPECT_EQ(Bounds::reached(), Names{"--loop-bound " + std::to_string(bound)});
  }
}

TEST_F(UserBounds, EachPlaceAndEachThreadHasALoopOfItsOwn) {
  Bounds::set(3, 0, false);
  Thread other;
  for (int visit = 0; visit < 3; ++visit) {
    EXPECT_FALSE(is_cut(kHere));
    EXPECT_FALSE(is_cut(kThere, visit));  // whatever it does there
    EXPECT_FALSE(is_cut(other, kHere, 1));
  }
  EXPECT_TRUE(is_cut(kHere));
  EXPECT_TRUE(is_cut(kThere, 9));
  EXPECT_TRUE(is_cut(other, kHere, 1));
}

// --- reread ----------------------------------------------------------------------------------------------------------

TEST_F(UserBounds, AnOldStoreIsReadAgainAsOftenAsTheRereadBoundSays) {
  for (const int bound : {1, 2, 7}) {
    thread_ = std::make_unique<Thread>();
    Bounds::set(0, static_cast<std::uint64_t>(bound), false);
    EXPECT_FALSE(is_cut(kHere, 5));
    for (int again = 1; again <= bound; ++again) EXPECT_FALSE(is_cut(kHere, 5)) << bound << ": " << again;
    EXPECT_EQ(Bounds::reached(), Names{});
    EXPECT_TRUE(is_cut(kHere, 5)) << bound;
    EXPECT_EQ(Bounds::reached(), Names{"--reread-bound " + std::to_string(bound)});
  }
}

TEST_F(UserBounds, AStoreThatNoneFollowsMayBeReadAgainAndAgain) {
  Bounds::set(0, 1, false);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(is_cut(kHere, 5, false));
  EXPECT_FALSE(is_cut(kHere, 5));  // a later one has come up: that was the first time
  EXPECT_TRUE(is_cut(kHere, 5));
}

TEST_F(UserBounds, ReadingAnotherStoreStartsAnew) {
  Bounds::set(0, 1, false);
  for (std::int64_t store = 0; store < 10; ++store) {
    EXPECT_FALSE(is_cut(kHere, store));
    EXPECT_FALSE(is_cut(kHere, store));
  }
  EXPECT_TRUE(is_cut(kHere, 9));
}

TEST_F(UserBounds, RereadsArePerPlaceAndThread) {
  Bounds::set(0, 1, false);
  Thread other;
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(is_cut(kHere, 5));
    EXPECT_FALSE(is_cut(kThere, 5));
    EXPECT_FALSE(is_cut(other, kHere, 5));
  }
  EXPECT_TRUE(is_cut(kThere, 5));
  EXPECT_TRUE(is_cut(other, kHere, 5));
}

TEST_F(UserBounds, WhatReadsNothingIsNoReread) {
  Bounds::set(0, 1, true);
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(is_cut(kHere));
    ++thread_->yields;
  }
}

TEST_F(UserBounds, WhatReadsNothingDoesNotInterruptRereads) {
  Bounds::set(0, 1, false);
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(is_cut(kHere, 5));
    EXPECT_FALSE(is_cut(kHere));
  }
  EXPECT_TRUE(is_cut(kHere, 5));
}

// --- fair ------------------------------------------------------------------------------------------------------------

TEST_F(UserBounds, FairCutsTheFirstRereadAfterAYield) {
  Bounds::set(0, 0, true);
  EXPECT_FALSE(is_cut(kHere, 5));
  ++thread_->yields;
  EXPECT_TRUE(is_cut(kHere, 5));
  EXPECT_EQ(Bounds::reached(), Names{"--fair"});
}

TEST_F(UserBounds, FairNeedsAYieldBetweenTheReads) {
  Bounds::set(0, 0, true);
  ++thread_->yields;  // before the first
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(is_cut(kHere, 5));
  ++thread_->yields;
  EXPECT_TRUE(is_cut(kHere, 5));
}

TEST_F(UserBounds, FairAllowsAnotherStoreAndTheLatest) {
  Bounds::set(0, 0, true);
  for (std::int64_t store = 0; store < 10; ++store) {
    EXPECT_FALSE(is_cut(kHere, store));
    ++thread_->yields;
    EXPECT_FALSE(is_cut(kThere, 5, false));
    ++thread_->yields;
  }
  EXPECT_EQ(Bounds::reached(), Names{});
}

// --- together --------------------------------------------------------------------------------------------------------

TEST_F(UserBounds, TellsWhichBoundsHaveCut) {
  Bounds::set(4, 1, true);
  for (int i = 0; i < 2; ++i) is_cut(kHere, 5);
  EXPECT_EQ(Bounds::reached(), Names{});
  EXPECT_TRUE(is_cut(kHere, 5));
  EXPECT_EQ(Bounds::reached(), Names{"--reread-bound 1"});
  thread_ = std::make_unique<Thread>();
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(is_cut(kHere));
  EXPECT_TRUE(is_cut(kHere));
  EXPECT_EQ(Bounds::reached(), (Names{"--loop-bound 4", "--reread-bound 1"}));
  is_cut(kThere, 5);
  ++thread_->yields;
  EXPECT_TRUE(is_cut(kThere, 5));
  EXPECT_EQ(Bounds::reached(), (Names{"--loop-bound 4", "--reread-bound 1", "--fair"}));
  Bounds::set(4, 1, true);
  EXPECT_EQ(Bounds::reached(), Names{});
}

}  // namespace
}  // namespace ordeal::runtime::testing
