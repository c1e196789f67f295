#include "sample/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/sample/scripted_strategy.h"

namespace ordeal::sample::testing {
namespace {

using enum MemoryOrder;

class SamplerTest : public ::testing::Test {
 protected:
  SamplerTest() { begin(); }
  void begin() {
    sampler.begin(strategy, 1, 1);
    x = sampler.memory().new_location(0);
    lock = sampler.memory().new_location(0, true);
    for (int t = 1; t <= 3; ++t) sampler.created(0, t);
  }
  std::vector<int> ready() {
    std::vector<int> threads(sampler.ready().begin(), sampler.ready().end());
    std::sort(threads.begin(), threads.end());
    return threads;
  }
  Value value(StoreId store) { return sampler.memory().store(store).value; }
  model::Access exchange(Value expected, Value desired, MemoryOrder order, MemoryOrder failure, bool is_weak = false) {
    model::Access access;
    access.function = model::RmwFunction::kCompareExchange;
    access.order = order;
    access.failure_order = failure;
    access.expected = expected;
    access.operand = desired;
    access.is_weak = is_weak;
    return access;
  }
  model::Access add(MemoryOrder order) {
    model::Access access;
    access.function = model::RmwFunction::kAdd;
    access.order = order;
    access.operand = 10;
    return access;
  }

  ScriptedStrategy strategy;
  Sampler sampler;
  Memory::LocationId x = 0, lock = 0;
};

// --- who runs ------------------------------------------------------------------------------------------------------------------

TEST_F(SamplerTest, WhoIsLeftBehindIsNeverReadyAgainWhateverHappens) {
  sampler.block_at(1, lock);
  sampler.block_until_end(2, 3);
  for (const int t : {1, 2}) sampler.leave_behind(t);
  EXPECT_EQ(ready(), (std::vector{0, 3}));
  sampler.store(0, lock, 1, kRelease);
  sampler.ended(3);
  sampler.wake(1);
  EXPECT_EQ(ready(), (std::vector{0}));
  EXPECT_TRUE(sampler.is_left_behind(1) && sampler.is_left_behind(2) && !sampler.is_left_behind(3));
  begin();
  EXPECT_EQ(ready(), (std::vector{0, 1, 2, 3})) << "in the next execution";
}

TEST_F(SamplerTest, ThreadsAreReadyFromCreationToEnd) {
  EXPECT_EQ(ready(), (std::vector{0, 1, 2, 3}));
  sampler.ended(1);
  EXPECT_EQ(ready(), (std::vector{0, 2, 3}));
  EXPECT_FALSE(sampler.is_ready(1));
  EXPECT_TRUE(sampler.is_ready(3));
  for (const int t : {0, 2, 3}) sampler.ended(t);
  EXPECT_EQ(sampler.choose_other(3), Sampler::kNobody);
  begin();
  EXPECT_EQ(ready(), (std::vector{0, 1, 2, 3}));
}

TEST_F(SamplerTest, TheStrategyDecidesWhoGoesOn) {
  for (int place = 0; place < 4; ++place) {
    strategy.thread_place = place;
    const int wanted = sampler.ready()[static_cast<std::size_t>(place)];
    EXPECT_EQ(sampler.goes_on(2, StepKind::kFence), wanted == 2);
    EXPECT_EQ(sampler.chosen(), wanted);
    EXPECT_EQ(strategy.last_step_kind, StepKind::kFence);
    EXPECT_EQ(sampler.ready()[static_cast<std::size_t>(strategy.current)], 2);
  }
}

TEST_F(SamplerTest, ThreadThatIsAloneGoesOnUnasked) {
  for (const int t : {0, 1, 3}) sampler.ended(t);
  strategy.current = -2;
  EXPECT_TRUE(sampler.goes_on(2, StepKind::kLoad));
  EXPECT_EQ(strategy.current, -2);
}

TEST_F(SamplerTest, ThreadAtALocationIsWokenWhenThatChanges) {
  sampler.block_at(1, x);
  sampler.block_at(2, lock);
  EXPECT_EQ(ready(), (std::vector{0, 3}));
  sampler.load(3, x, kRelaxed);
  EXPECT_EQ(ready(), (std::vector{0, 3}));
  sampler.store(3, x, 1, kRelaxed);
  EXPECT_EQ(ready(), (std::vector{0, 1, 3}));
  sampler.rmw(3, lock, add(kAcqRel));
  EXPECT_EQ(ready(), (std::vector{0, 1, 2, 3}));
  sampler.block_at(1, x);
  sampler.rmw(3, x, exchange(99, 1, kRelaxed, kRelaxed));
  EXPECT_EQ(ready(), (std::vector{0, 2, 3})) << "one that fails changes nothing";
}

TEST_F(SamplerTest, ThreadThatWaitsForAnEndIsWokenByThat) {
  sampler.block_until_end(0, 2);
  sampler.block_until_end(3, 2);
  sampler.ended(1);
  EXPECT_EQ(ready(), std::vector{2});
  EXPECT_EQ(sampler.choose_other(0), 2);
  EXPECT_EQ(strategy.current, -1) << "the thread that asks cannot go on";
  sampler.ended(2);
  EXPECT_EQ(ready(), (std::vector{0, 3}));
}

TEST_F(SamplerTest, ThreadMayBeWokenForOtherReasons) {
  sampler.block_at(1, x);
  sampler.wake(1);
  sampler.wake(1);
  EXPECT_EQ(ready(), (std::vector{0, 1, 2, 3}));
  sampler.store(3, x, 1, kRelaxed);
  EXPECT_EQ(ready(), (std::vector{0, 1, 2, 3}));
}

/// A wait for a value does not acquire: what the thread could read before, it can read after.
TEST_F(SamplerTest, OnlyWaitsForLocksLetStoresGo) {
  for (const bool is_lock : {false, true}) {
    begin();
    for (const int t : {0, 3}) sampler.ended(t);
    sampler.memory().set_pruning(Memory::Pruning::kAlways);
    if (is_lock) sampler.block_at_lock(1, lock);
    else sampler.block_at(1, lock);
    sampler.store(2, x, 1, kRelaxed);
    sampler.memory().write_behind(2, lock, sampler.memory().last_id(lock), 1, kRelease);
    sampler.memory().write(2, x, 2, kRelaxed, kNoStore);
    EXPECT_EQ(sampler.memory().count(x), is_lock ? 2u : 3u);
  }
}

TEST_F(SamplerTest, ThreadThatWasWokenNeedsItsStoresAgain) {
  for (const int t : {0, 3}) sampler.ended(t);
  sampler.memory().set_pruning(Memory::Pruning::kAlways);
  sampler.block_at_lock(1, lock);
  sampler.wake(1);
  sampler.store(2, x, 1, kRelaxed);
  sampler.memory().write_behind(2, lock, sampler.memory().last_id(lock), 1, kRelease);
  sampler.memory().write(2, x, 2, kRelaxed, kNoStore);
  EXPECT_EQ(sampler.memory().count(x), 3u);
}

// --- what operations do ----------------------------------------------------------------------------------------------------------

TEST_F(SamplerTest, TheStrategyDecidesWhichStoreIsRead) {
  for (const Value v : {1, 2}) sampler.store(2, x, v, kRelaxed);
  sampler.store(1, x, 3, kRelaxed);
  std::vector<Value> seen;
  for (std::uint32_t i = 0; i < 4; ++i) {
    sampler.memory().create(0, 4 + static_cast<int>(i));
    strategy.stores = {i};
    seen.push_back(value(sampler.load(4 + static_cast<int>(i), x, kRelaxed)));
    EXPECT_EQ(strategy.last_count, 4u);
  }
  EXPECT_EQ(seen.back(), 3) << "the newest is the last one";
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<Value>{0, 1, 2, 3}));
  EXPECT_EQ(value(sampler.load(3, x, kRelaxed)), 3) << "kNewest";
}

TEST_F(SamplerTest, TheStrategyDecidesWhereAStoreGoes) {
  sampler.store(1, x, 1, kRelaxed);
  strategy.places = {0};
  sampler.store(2, x, 2, kRelaxed);
  EXPECT_EQ(sampler.memory().last(x).value, 1);
  sampler.store(3, x, 3, kRelaxed);
  EXPECT_EQ(sampler.memory().last(x).value, 3);
}

TEST_F(SamplerTest, SeqCstStoreGoesBehindThoseBeforeItInS) {
  sampler.store(1, x, 1, kSeqCst);
  strategy.places = {0};
  sampler.store(2, x, 2, kSeqCst);
  EXPECT_EQ(sampler.memory().last(x).value, 2);
}

TEST_F(SamplerTest, RmwNeverBuildsUponWhatIsTaken) {
  EXPECT_EQ(value(sampler.rmw(1, x, add(kRelaxed)).source), 0);
  strategy.stores = {0, 0, 0, 0, 0};
  const auto [source, succeeded] = sampler.rmw(2, x, add(kRelaxed));
  EXPECT_TRUE(succeeded);
  EXPECT_EQ(value(source), 10);
  EXPECT_EQ(sampler.memory().last(x).value, 20);
  sampler.store(1, x, 100, kRelaxed);  // now there are two that are free: 20 and this one
  strategy.stores = {0, 0, 0, 0, 0};
  EXPECT_EQ(value(sampler.rmw(3, x, add(kRelaxed)).source), 100);
}

TEST_F(SamplerTest, CompareExchangeThatFailsMayReadWhatIsTaken) {
  sampler.rmw(1, x, add(kRelaxed));
  strategy.stores = {0};
  const auto [source, succeeded] = sampler.rmw(2, x, exchange(77, 1, kSeqCst, kRelaxed));
  EXPECT_FALSE(succeeded);
  EXPECT_EQ(value(source), 0);
  EXPECT_EQ(sampler.memory().count(x), 2u);
}

TEST_F(SamplerTest, CompareExchangeReadsWithTheOrderThatItThenHas) {
  sampler.store(1, x, 1, kSeqCst);
  strategy.stores = {0, 0, 0, 0};
  const auto [source, succeeded] = sampler.rmw(2, x, exchange(0, 5, kSeqCst, kRelaxed));
  EXPECT_FALSE(succeeded) << "reading the older store it would be seq_cst, and too late for that";
  EXPECT_EQ(value(source), 1);
  strategy.stores = {0};
  EXPECT_EQ(value(sampler.rmw(3, x, exchange(7, 5, kSeqCst, kRelaxed)).source), 0) << "it fails there, and is relaxed";
}

TEST_F(SamplerTest, SeqCstFailureDoesNotReadWhatIsOlderThanSeqCstStores) {
  sampler.store(1, x, 1, kSeqCst);
  strategy.stores = {0, 0, 0, 0};
  EXPECT_EQ(value(sampler.rmw(2, x, exchange(7, 5, kRelaxed, kSeqCst)).source), 1);
  strategy.given = 1;
  strategy.stores = {0};
  const auto [source, succeeded] = sampler.rmw(3, x, exchange(0, 5, kRelaxed, kSeqCst, true));
  EXPECT_FALSE(succeeded);
  EXPECT_EQ(value(source), 1) << "without reason, too";
}

TEST_F(SamplerTest, WeakOneMayFailWithoutReasonAndThenWritesNothing) {
  strategy.given = 1;
  EXPECT_FALSE(sampler.rmw(1, x, exchange(0, 5, kSeqCst, kRelaxed, true)).succeeded);
  EXPECT_EQ(sampler.memory().count(x), 1u);
  EXPECT_TRUE(sampler.rmw(1, x, exchange(0, 5, kSeqCst, kRelaxed)).succeeded) << "a strong one does not";
  EXPECT_EQ(strategy.questions, 1);
}

TEST_F(SamplerTest, TryLockFailsWithoutReasonOnlyBehindAnotherThread) {
  strategy.given = 1;
  model::Access try_lock = exchange(0, 1, kAcquire, kRelaxed, true);
  try_lock.needs_rival = 1;
  EXPECT_TRUE(sampler.rmw(1, lock, try_lock).succeeded) << "the initial state";
  model::Access unlock;
  unlock.function = model::RmwFunction::kUnlock;
  unlock.order = kRelease;
  sampler.rmw(1, lock, unlock);
  EXPECT_TRUE(sampler.rmw(1, lock, try_lock).succeeded) << "its own";
  sampler.rmw(1, lock, unlock);
  EXPECT_FALSE(sampler.rmw(2, lock, try_lock).succeeded);
  EXPECT_EQ(sampler.memory().last(lock).value, 0);
}

TEST_F(SamplerTest, AwaitReadsWhatFitsOrWaits) {
  model::Access access;
  access.await = model::Await::kEqual;
  access.operand = -1;
  access.expected = 2;
  EXPECT_EQ(sampler.await(1, x, access), kNoStore);
  sampler.store(2, x, 2, kRelaxed);
  strategy.stores = {0};
  EXPECT_EQ(value(sampler.await(1, x, access)), 2) << "what does not fit is not read";
}

}  // namespace
}  // namespace ordeal::sample::testing
