// What is dropped, and what is not.
#include "tests/unit/sample/steps.h"

namespace ordeal::sample::testing {
namespace {

constexpr int kMany = 10'000;

/// Threads 1 and 2 pass x on to each other, `kMany` times.
void ping_pong(Steps& s, MemoryOrder store, MemoryOrder load) {
  for (int i = 0; i < kMany; ++i) {
    s.store(1 + i % 2, x, store);
    s.memory.read(2 - i % 2, x, s.newest(x), load);
  }
}

TEST(PruningTest, WhatAllThreadsHavePassedIsDropped) {
  Steps s(2);
  s.memory.finish(0);
  ping_pong(s, kRelease, kAcquire);
  EXPECT_LT(s.memory.stores_in_use(), 300u);
  EXPECT_LT(s.memory.bytes_in_use(), 100'000u);
  EXPECT_FALSE(s.memory.window_was_used());
}

TEST(PruningTest, WhatAThreadMayStillReadStays) {
  Steps s(3);
  s.memory.finish(0);
  ping_pong(s, kRelease, kAcquire);
  EXPECT_EQ(s.memory.readable(3, x, kRelaxed), static_cast<std::uint32_t>(kMany) + 1);
  EXPECT_TRUE(s.may_read(3, x, s.initial(x)));
}

TEST(PruningTest, ThreadThatWaitsForAnotherNeedsNothingOfThat) {
  Steps s(2);
  s.memory.note_waiting_for_thread(0, 1);
  ping_pong(s, kRelease, kAcquire);
  EXPECT_LT(s.memory.stores_in_use(), 300u);
  s.memory.note_running(0);
  const StoreId last = s.newest(x);
  s.memory.finish(1);
  s.memory.join(0, 1);
  EXPECT_EQ(s.readable(0, x), std::set{last});
}

TEST(PruningTest, ThreadsThatWaitForEachOtherAreNoEndlessLoop) {
  Steps s(4);
  s.memory.note_waiting_for_thread(3, 4);
  s.memory.note_waiting_for_thread(4, 3);
  s.memory.finish(0);
  ping_pong(s, kRelease, kAcquire);
  EXPECT_TRUE(s.may_read(3, x, s.initial(x)));
}

TEST(PruningTest, ThreadThatWaitsForALockNeedsWhatItsLastOwnerDidNotPublish) {
  Steps s(3);
  s.memory.finish(0);
  const Memory::LocationId lock = s.memory.new_location(0, true);
  const auto pass = [&](int thread) {
    s.memory.read(thread, lock, s.newest(lock), kAcqRel);
    s.memory.write_behind(thread, lock, s.newest(lock), 1, kAcqRel);
  };
  s.memory.note_waiting_at(3, lock);
  for (int i = 0; i < kMany; ++i) {
    s.store(1 + i % 2, x);
    pass(1 + i % 2);
    s.memory.read(2 - i % 2, x, s.newest(x), kRelaxed);
  }
  EXPECT_LT(s.memory.stores_in_use(), 300u);
  const StoreId published = s.newest(x), late = s.store(1, x);
  s.memory.note_running(3);
  pass(3);
  EXPECT_EQ(s.readable(3, x), (std::set{published, late}));
  EXPECT_EQ(s.memory.count(lock), 1u);
}

TEST(PruningTest, SeqCstFencesCountAsFarAsTheyHideThings) {
  Steps s(2);
  s.memory.finish(0);
  for (int i = 0; i < kMany; ++i) {
    s.store(1, x);
    s.fence(1, kSeqCst);
    s.fence(2, kSeqCst);
  }
  EXPECT_LT(s.memory.stores_in_use(), 300u);
  EXPECT_LT(s.memory.bytes_in_use(), 100'000u);
}

TEST(PruningTest, MarksOfSeqCstAccessesDoNotGrowWithoutFences) {
  Steps s(2);
  s.memory.finish(0);
  ping_pong(s, kSeqCst, kSeqCst);
  EXPECT_LT(s.memory.bytes_in_use(), 100'000u);
}

TEST(PruningTest, BeyondTheWindowTheOldestGoAndThatIsTold) {
  Steps s(2);
  s.memory.set_window(1000);
  for (int i = 0; i < 900; ++i) s.store(1, x);
  EXPECT_FALSE(s.memory.window_was_used());
  EXPECT_EQ(s.memory.readable(2, x, kRelaxed), 901u);
  StoreId seen = kNoStore;
  for (int i = 0; i < kMany; ++i) {
    const StoreId added = s.store(1, x);
    if (i == kMany - 400) s.load(2, x, seen = added);
  }
  EXPECT_TRUE(s.memory.window_was_used());
  EXPECT_LE(s.memory.count(x), 1100u);
  EXPECT_EQ(s.memory.readable(2, x, kRelaxed), 400u) << "those from the one that it has read";
  EXPECT_GE(s.memory.readable(0, x, kRelaxed), 500u);
  s.memory.begin();
  EXPECT_FALSE(s.memory.window_was_used());
}

TEST(PruningTest, LabelsAndPruningGoTogether) {  // new labels, after some were dropped
  Steps s(3);
  s.memory.set_pruning(Memory::Pruning::kAlways);
  s.memory.finish(0);
  StoreId floor = kNoStore;
  for (int i = 0; i < 5; ++i) floor = s.store(1, x);
  for (const int t : {2, 3}) s.load(t, x, floor);
  EXPECT_EQ(s.memory.count(x), 5u + 1u) << "nothing is looked at before the next store";
  const StoreId last = s.store(1, x);
  EXPECT_EQ(s.memory.count(x), 2u);
  EXPECT_EQ(s.memory.count_of_free(x), 2u);
  StoreId before = floor;
  for (int i = 0; i < 100; ++i) before = s.store_behind(before, 2, x);
  EXPECT_EQ(s.newest(x), last);
  EXPECT_EQ(s.readable(2, x), (std::set{before, last}));
  EXPECT_EQ(s.readable(3, x).size(), 102u);
  EXPECT_EQ(s.readable(1, x), std::set{last});
}

}  // namespace
}  // namespace ordeal::sample::testing
