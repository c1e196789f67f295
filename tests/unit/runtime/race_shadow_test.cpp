// The shadow of random testing against its definition: a list of all accesses of the execution.
//
// Threads as sample/memory.h makes them: a thread's tick goes on when it releases, and who acquires takes over what was known there. A
// plain access is noted as the entry points do it: only if the shadow does not have it already (fast_path.h). So a look that takes too
// much for known misses races here. An execution ends with its first race: after that the shadow need not know all.
//
// Memory that is given out is as if nobody had used it, and written by who gets it; to free it is to write it.
#include "runtime/race_shadow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/rng.h"
#include "tests/support/scale.h"
#include "tests/unit/runtime/opened_shadow.h"

namespace ordeal::runtime::testing {
namespace {

constexpr int kRacingThreads = 3;
using TicksKnown = std::array<sample::Tick, kRacingThreads>;

constexpr std::size_t kBlockSize = 64;  // behind it are atomic objects only
std::uintptr_t block_begin = 0;         // another one in each execution: what was marked stays so

enum class Purpose { kAccess, kGiveOut, kFree };

struct PlainOrAtomic {
  std::uintptr_t address = 0;
  std::size_t size = 0;
  int thread = 0;
  sample::Tick tick = 0;
  bool is_write = false, is_atomic = false;
  Purpose purpose = Purpose::kAccess;
};

bool is_race(const PlainOrAtomic& earlier, const PlainOrAtomic& later, const TicksKnown& knows) {
  return earlier.thread != later.thread && earlier.address < later.address + later.size && later.address < earlier.address + earlier.size &&
         (earlier.is_write || later.is_write) && !(earlier.is_atomic && later.is_atomic) && knows[static_cast<std::size_t>(earlier.thread)] < earlier.tick;
}

std::vector<RaceAccess> told;  // the others, of races
void note_race(std::uintptr_t, std::size_t, const RaceAccess&, RaceAccess other) { told.push_back(other); }

bool is_open() {
  RaceShadow::is_watching = true;
  RaceShadow::set_on_race(&note_race);
  const bool is_there = has_race_shadow();
  ordeal_plain_state.set_noted(is_there);
  return is_there;
}

/// Threads, and what they know. Each execution's ticks are behind those of the last.
class Threads {
 public:
  Threads() {
    for (TicksKnown& each : knows_) each.fill(base_);
    for (int t = 0; t < kRacingThreads; ++t) ++of(t)[static_cast<std::size_t>(t)];
    released_.fill({});
  }
  ~Threads() {
    for (const TicksKnown& each : knows_) base_ = std::max(base_, *std::max_element(each.begin(), each.end()));
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  TicksKnown& of(int thread) { return knows_[static_cast<std::size_t>(thread)]; }
  sample::Tick tick(int thread) { return of(thread)[static_cast<std::size_t>(thread)]; }
  void release(int thread) {
    released_[static_cast<std::size_t>(thread)] = of(thread);
    ++of(thread)[static_cast<std::size_t>(thread)];
  }
  void acquire(int thread, int from) {
    for (std::size_t u = 0; u < kRacingThreads; ++u) of(thread)[u] = std::max(of(thread)[u], released_[static_cast<std::size_t>(from)][u]);
  }
  /// Does it; whether a race was told.
  bool access(const PlainOrAtomic& access) {
    told.clear();
    RaceShadow::set_self(access.thread, access.tick);
    RaceShadow::set_knowledge(of(access.thread).data());
    if (access.purpose == Purpose::kGiveOut) RaceShadow::give_out(block_begin, kBlockSize, access.size);
    else if (access.purpose == Purpose::kFree) RaceShadow::note_freed(access.address, access.size, 1);
    else if (access.is_atomic) RaceShadow::note_atomic(RaceShadow::atomic_at(access.address, static_cast<std::uint32_t>(access.size)), access.is_write, 1);
    else if (!RaceShadow::has(access.address, access.size, access.is_write)) RaceShadow::note_new(access.address, access.size, access.is_write, 1);
    return !told.empty();
  }
  bool write(int thread, std::uintptr_t address) { return access({address, 8, thread, tick(thread), true, false}); }
  bool read(int thread, std::uintptr_t address) { return access({address, 8, thread, tick(thread), false, false}); }

 private:
  static inline sample::Tick base_ = 0;
  std::array<TicksKnown, kRacingThreads> knows_, released_;
};

/// A few granules, so that most accesses meet others; atomic objects are in places of their own most often.
PlainOrAtomic any_access(base::Rng& rng, int atomic) {
  PlainOrAtomic access;
  if (rng.chance(5)) {
    access = {block_begin, kBlockSize, 0, 0, true, false, rng.chance(50) ? Purpose::kGiveOut : Purpose::kFree};
    if (access.purpose == Purpose::kGiveOut && rng.chance(50)) access.size = static_cast<std::size_t>(1 + rng.below(kBlockSize));
    return access;
  }
  access.is_atomic = rng.chance(atomic);
  access.is_write = rng.chance(40);
  const bool is_aligned = access.is_atomic || rng.chance(80);
  access.size = is_aligned ? std::size_t{1} << rng.below(5) : static_cast<std::size_t>(1 + rng.below(20));
  access.address = block_begin + static_cast<std::uintptr_t>(rng.below(40)) + (access.is_atomic && rng.chance(90) ? kBlockSize : 0);
  if (is_aligned) access.address = access.address / access.size * access.size;
  return access;
}

TEST(RaceShadow, TellsTheRacesOfTheDefinition) {
  if (!is_open()) GTEST_SKIP() << "the addresses are not to be had";
  int races = 0, others = 0;
  for (int seed = 1; seed <= tests::scaled(4000); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed));
    const int synchronising = rng.below(70), atomic = rng.below(40);
    const bool is_careful = rng.chance(50);  // threads do more at a time, and most often hand over: without that the first race is soon there
    Threads threads;
    std::vector<PlainOrAtomic> all;
    block_begin = 0x110000010000 + std::uintptr_t{256} * static_cast<std::uintptr_t>(seed);
    for (int step = 0, thread = 0; step < 60; ++step) {
      if (const int last = thread; !is_careful || rng.chance(20)) {
        thread = rng.below(kRacingThreads);
        if (is_careful && rng.chance(85)) threads.release(last), threads.acquire(thread, last);
      }
      if (rng.chance(synchronising)) threads.acquire(thread, rng.below(kRacingThreads));
      PlainOrAtomic access = any_access(rng, atomic);
      access.thread = thread;
      access.tick = threads.tick(thread);
      if (access.purpose == Purpose::kGiveOut) std::erase_if(all, [](const PlainOrAtomic& earlier) { return earlier.address < block_begin + kBlockSize; });
      const TicksKnown& knows = threads.of(thread);
      const bool expected = std::any_of(all.begin(), all.end(), [&](const PlainOrAtomic& earlier) { return is_race(earlier, access, knows); });
      ASSERT_EQ(threads.access(access), expected) << "seed " << seed << ", step " << step;
      for (const RaceAccess& other : told)
        ASSERT_TRUE(std::any_of(all.begin(), all.end(), [&](const PlainOrAtomic& earlier) {
          return earlier.thread == other.thread && earlier.tick == other.tick && earlier.is_write == other.is_write && earlier.is_atomic == other.is_atomic && is_race(earlier, access, knows);
        })) << "seed " << seed << ", step " << step;
      ++(expected ? races : others);
      if (expected) break;
      all.push_back(access);
      if (!is_careful && rng.chance(synchronising)) threads.release(thread);
    }
  }
  EXPECT_GT(races, others / 100);
  EXPECT_GT(others, races);
}

// An access that is there already is of this thread and this tick: what was released before does not cover it.
TEST(RaceShadow, AnAccessAfterAReleaseIsANewOne) {
  if (!is_open()) GTEST_SKIP() << "the addresses are not to be had";
  Threads threads;
  EXPECT_FALSE(threads.write(0, 0x110000002000));
  threads.release(0);
  threads.acquire(1, 0);
  EXPECT_FALSE(threads.write(0, 0x110000002000));
  EXPECT_TRUE(threads.read(1, 0x110000002000));
}

TEST(RaceShadow, AReadThatIsThereIsNoWrite) {
  if (!is_open()) GTEST_SKIP() << "the addresses are not to be had";
  Threads threads;
  EXPECT_FALSE(threads.read(0, 0x110000002100));
  EXPECT_FALSE(threads.write(0, 0x110000002100));
  EXPECT_TRUE(threads.read(1, 0x110000002100));
}

// Who frees memory has written it; but each use of it is looked at again, by whoever.
TEST(RaceShadow, WhatIsFreedIsNotThere) {
  if (!is_open()) GTEST_SKIP() << "the addresses are not to be had";
  Threads threads;
  block_begin = 0x110000003000;
  EXPECT_FALSE(threads.access({block_begin, kBlockSize, 0, threads.tick(0), true, false, Purpose::kGiveOut}));
  EXPECT_TRUE(RaceShadow::has(block_begin + 8, 8, true));
  ordeal_plain_state.set_noted(false);
  EXPECT_FALSE(RaceShadow::has(block_begin + 8, 8, true));  // as long as there is more to do for each access
  ordeal_plain_state.set_noted(true);
  EXPECT_FALSE(threads.access({block_begin, kBlockSize, 0, threads.tick(0), true, false, Purpose::kFree}));
  EXPECT_FALSE(RaceShadow::has(block_begin + 8, 8, true));
  EXPECT_FALSE(RaceShadow::has(block_begin + 8, 4, false));
  EXPECT_TRUE(threads.read(1, block_begin + 8));
}

}  // namespace
}  // namespace ordeal::runtime::testing
