// The program's heap goes back to a milestone.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "base/rng.h"
#include "runtime/heap.h"
#include "tests/support/scale.h"

namespace ordeal::runtime::testing {
namespace {

class HeapMilestones : public ::testing::Test {
 protected:
  using State = ProgramHeap::State;
  using FreeResult = ProgramHeap::FreeResult;

  void SetUp() override { ProgramHeap::reset(); }
  void TearDown() override { ProgramHeap::reset(); }

  static std::uintptr_t make(int thread, std::size_t size, bool clear = false, std::uint32_t stack = 0) {
    return reinterpret_cast<std::uintptr_t>(ProgramHeap::allocate(thread, 3, size, 1, clear, stack));
  }
  static FreeResult give_back(std::uintptr_t block, int thread = 0, std::uint32_t stack = 0) {
    return ProgramHeap::release(reinterpret_cast<void*>(block), thread, stack);
  }
  static void fill(std::uintptr_t block, int byte, std::size_t size) { std::memset(reinterpret_cast<void*>(block), byte, size); }
  static bool holds(std::uintptr_t block, int byte, std::size_t size) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(block);
    for (std::size_t i = 0; i < size; ++i)
      if (bytes[i] != byte) return false;
    return true;
  }
  static ProgramHeap::Image keep() {
    ProgramHeap::Image image;
    ProgramHeap::keep(image);
    return image;
  }
};

TEST_F(HeapMilestones, ContentsAreAsTheyWere) {
  const std::uintptr_t first = make(0, 100), second = make(2, 5000);
  fill(first, 1, 100);
  fill(second, 2, 5000);
  const ProgramHeap::Image image = keep();
  for (int turn = 0; turn < 2; ++turn) {  // as often as one likes
    fill(first, 7, 100);
    fill(second + 2000, 8, 3000);
    ProgramHeap::go_back(image);
    EXPECT_TRUE(holds(first, 1, 100));
    EXPECT_TRUE(holds(second, 2, 5000));
  }
}

TEST_F(HeapMilestones, WhatWasFreedSinceIsInUseAgain) {
  const std::uintptr_t block = make(1, 40, false, 11);
  const ProgramHeap::Image image = keep();
  for (int turn = 0; turn < 2; ++turn) {
    ASSERT_EQ(give_back(block, 2, 22), FreeResult::kDone);
    EXPECT_FALSE(ProgramHeap::is_live(block));
    ProgramHeap::go_back(image);
    for (std::size_t i = 0; i < 40; ++i) EXPECT_TRUE(ProgramHeap::is_live(block + i)) << i;
    EXPECT_FALSE(ProgramHeap::is_live(block + 40));
    EXPECT_EQ(ProgramHeap::find(block).allocated, 11U);
    EXPECT_EQ(ProgramHeap::find(block).freed_by, -1);
  }
}

TEST_F(HeapMilestones, WhatWasFreedBeforeStaysSo) {
  const std::uintptr_t block = make(0, 40), empty = make(0, 0), other = make(0, 16);
  give_back(block, 1, 21);
  give_back(empty, 2, 22);
  const ProgramHeap::Image image = keep();
  give_back(other, 3, 23);
  ProgramHeap::go_back(image);
  EXPECT_EQ(keep().freed, 2U);
  EXPECT_EQ(ProgramHeap::state(block), State::kFreed);
  EXPECT_EQ(ProgramHeap::state(empty), State::kFreed);
  EXPECT_EQ(give_back(block), FreeResult::kTwice);
  EXPECT_EQ(ProgramHeap::find(block).freed_by, 1);
  EXPECT_EQ(ProgramHeap::find(block).freed, 21U);
  EXPECT_EQ(ProgramHeap::find(empty).freed_by, 2);
  EXPECT_EQ(give_back(other, 4, 24), FreeResult::kDone);
  EXPECT_EQ(ProgramHeap::find(other).freed_by, 4) << "what was noted of it is forgotten";
  EXPECT_EQ(ProgramHeap::find(block).freed_by, 1);
}

TEST_F(HeapMilestones, WhatWasAllocatedSinceIsGone) {
  const std::uintptr_t before = make(0, 24);
  const ProgramHeap::Image image = keep();
  const std::size_t used = ProgramHeap::used_memory();
  const std::uintptr_t after = make(0, 1000), freed = make(0, 50);
  give_back(freed, 1);
  ProgramHeap::go_back(image);
  EXPECT_EQ(ProgramHeap::used_memory(), used);
  EXPECT_TRUE(ProgramHeap::is_live(before));
  for (std::uintptr_t at = after; at < freed + 100; ++at) ASSERT_EQ(ProgramHeap::state(at), State::kUnused) << at - after;
  for (const std::uintptr_t gone : {after, freed}) {
    EXPECT_EQ(ProgramHeap::find(gone).address, 0U);
    EXPECT_EQ(give_back(gone), FreeResult::kNotABlock);
  }
  EXPECT_EQ(make(0, 10), after) << "the next allocation has the same address as before";
  EXPECT_TRUE(ProgramHeap::is_untouched(after, 10));
  EXPECT_EQ(ProgramHeap::find(after).freed_by, -1);
  EXPECT_EQ(ProgramHeap::find(after + 10).address, 0U);
}

TEST_F(HeapMilestones, SlicesThatWereOpenedSinceAreEmptyAgain) {
  constexpr int kNew = 70;  // no other test has it, nor those above it
  const std::uintptr_t before = make(1, 24);
  fill(before, 5, 24);
  const ProgramHeap::Image image = keep();
  const std::uintptr_t opened = make(kNew, 100), between = make(0, 8);
  ProgramHeap::go_back(image);
  for (std::uintptr_t at = kHeapBase + kNew * kHeapStride; at < opened + 200; ++at) ASSERT_EQ(ProgramHeap::state(at), State::kUnused);
  EXPECT_EQ(ProgramHeap::find(opened).address, 0U);
  EXPECT_EQ(ProgramHeap::find(between).address, 0U);
  EXPECT_TRUE(holds(before, 5, 24));
  EXPECT_EQ(make(kNew, 100), opened);
  EXPECT_EQ(make(0, 8), between);
}

TEST_F(HeapMilestones, AnEmptyHeapIsOneToo) {
  const ProgramHeap::Image image = keep();
  const std::uintptr_t block = make(3, 100);
  give_back(block);
  ProgramHeap::go_back(image);
  ProgramHeap::for_each_used([](const void*, std::size_t) { ADD_FAILURE(); });
  EXPECT_EQ(ProgramHeap::state(block), State::kUnused);
  EXPECT_EQ(make(3, 100), block);
  EXPECT_EQ(ProgramHeap::find(block).freed_by, -1);
}

TEST_F(HeapMilestones, ThereMayBeSeveral) {
  std::vector<ProgramHeap::Image> images;
  std::vector<std::uintptr_t> blocks;
  for (int i = 0; i < 4; ++i) {
    blocks.push_back(make(i % 3, 64));
    for (const std::uintptr_t block : blocks) fill(block, i + 1, 64);  // the older ones too
    if (i == 2) give_back(blocks[0], 9);
    images.push_back(keep());
  }
  for (std::size_t milestone = 4; milestone-- > 0;) {
    ProgramHeap::go_back(images[milestone]);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(ProgramHeap::find(blocks[i]).address, i <= milestone ? blocks[i] : 0U);
      EXPECT_EQ(holds(blocks[i], static_cast<int>(milestone) + 1, 64), i <= milestone) << milestone << ", block " << i;
    }
    EXPECT_EQ(ProgramHeap::find(blocks[0]).freed_by, milestone >= 2 ? 9 : -1);
    EXPECT_EQ(ProgramHeap::is_live(blocks[0]), milestone < 2);
  }
}

TEST_F(HeapMilestones, AnImageMayBeUsedAgain) {
  ProgramHeap::Image image;
  make(0, 1000);
  give_back(make(4, 1000));
  ProgramHeap::keep(image);
  ProgramHeap::reset();
  const std::uintptr_t block = make(0, 8, true);
  ProgramHeap::keep(image);
  fill(block, 1, 8);
  make(4, 8);
  ProgramHeap::go_back(image);
  EXPECT_TRUE(holds(block, 0, 8));
  EXPECT_EQ(ProgramHeap::find(block).size, 8U);
  EXPECT_TRUE(ProgramHeap::is_live(block));
  EXPECT_EQ(image.freed, 0U);
}

/// All that the heap tells about the first bytes of some threads.
std::vector<std::uint64_t> described_heap() {
  std::vector<std::uint64_t> all;
  for (int thread = 0; thread < 3; ++thread)
    for (std::uintptr_t at = kHeapBase + kHeapStride * static_cast<std::size_t>(thread); at % kHeapStride < 3000; at += 8) {
      const Block block = ProgramHeap::find(at);
      const bool is_live = block.address != 0 && ProgramHeap::is_live(at);
      for (const std::uint64_t part : {std::uint64_t{block.address}, std::uint64_t{block.size}, static_cast<std::uint64_t>(block.freed_by),
                                       static_cast<std::uint64_t>(ProgramHeap::state(at)), is_live ? *reinterpret_cast<std::uint64_t*>(at / 8 * 8) : 0})
        all.push_back(part);
    }
  return all;
}

TEST_F(HeapMilestones, AllIsAsItWasAfterRandomSteps) {
  for (const int thread : {0, 1, 2}) make(thread, 8);  // their memory is there
  for (int seed = 0; seed < tests::scaled(20); ++seed) {
    SCOPED_TRACE(seed);
    ProgramHeap::reset();
    base::Rng rng(static_cast<std::uint64_t>(seed));
    struct Kept {
      ProgramHeap::Image image;
      std::vector<std::uintptr_t> blocks;
      std::vector<std::uint64_t> description;
    };
    std::vector<Kept> kept;
    std::vector<std::uintptr_t> blocks;
    for (int step = 0; step < 120; ++step) {
      const int what = rng.below(100);
      if (what < 40) {
        const auto size = static_cast<std::size_t>(1 + rng.below(60));
        blocks.push_back(make(rng.below(3), size, rng.chance(30)));
      } else if (what < 55 && !blocks.empty()) {
        give_back(blocks[static_cast<std::size_t>(rng.below(static_cast<int>(blocks.size())))], rng.below(3));
      } else if (what < 80 && !blocks.empty()) {
        fill(blocks[static_cast<std::size_t>(rng.below(static_cast<int>(blocks.size())))], rng.below(256), 1);
      } else if (what < 92) {
        kept.push_back({keep(), blocks, described_heap()});
      } else if (!kept.empty()) {
        kept.resize(1 + static_cast<std::size_t>(rng.below(static_cast<int>(kept.size()))));
        ProgramHeap::go_back(kept.back().image);
        blocks = kept.back().blocks;
        ASSERT_EQ(described_heap(), kept.back().description);
      }
    }
  }
}

}  // namespace
}  // namespace ordeal::runtime::testing
