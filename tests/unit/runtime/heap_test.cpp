#include "runtime/heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/rng.h"
#include "tests/support/scale.h"

namespace ordeal::runtime::testing {
namespace {

using State = ProgramHeap::State;
using FreeResult = ProgramHeap::FreeResult;

constexpr std::size_t kSizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 1000, 4096, 100001};

class Heap : public ::testing::Test {
 protected:
  void SetUp() override { ProgramHeap::reset(); }
  void TearDown() override { ProgramHeap::reset(); }
};

struct Ask {
  std::size_t alignment = 1;
  bool clear = false;
  base::ClockEntry clock = 0;
  std::uint32_t stack = 0;
};
std::uintptr_t allocate(int thread, std::size_t size, const Ask& ask = {}) {
  return reinterpret_cast<std::uintptr_t>(
      ProgramHeap::allocate(thread, ask.clock, size, ask.alignment, ask.clear, ask.stack));
}
FreeResult release(std::uintptr_t block, int thread = 0, std::uint32_t stack = 0) {
  return ProgramHeap::release(reinterpret_cast<void*>(block), thread, stack);
}
unsigned char* bytes(std::uintptr_t address) { return reinterpret_cast<unsigned char*>(address); }

// --- addresses -------------------------------------------------------------------------------------------------------

/// What thread 3 gets for some allocations; `disturb` is called before each.
template <class Disturb>
std::vector<std::uintptr_t> addresses_of_thread_3(Disturb&& disturb) {
  std::vector<std::uintptr_t> addresses;
  for (const std::size_t size : kSizes) {
    disturb(addresses);
    addresses.push_back(allocate(3, size, {.alignment = size < 100 ? std::size_t{1} : std::size_t{256}}));
  }
  return addresses;
}

TEST_F(Heap, AnAddressDependsOnTheThreadAndItsNthAllocationOnly) {
  const std::vector<std::uintptr_t> alone = addresses_of_thread_3([](const auto&) {});
  ProgramHeap::reset();
  EXPECT_EQ(addresses_of_thread_3([](const auto&) {}), alone);
  ProgramHeap::reset();
  const auto among_others = [](const std::vector<std::uintptr_t>& so_far) {
    for (const int thread : {0, 2, 4}) release(allocate(thread, 100 + so_far.size()));
    allocate(1, 7, {.alignment = 64});
    if (!so_far.empty()) release(so_far.back(), 2);
  };
  EXPECT_EQ(addresses_of_thread_3(among_others), alone);
}

TEST_F(Heap, EachThreadHasAddressesOfItsOwn) {
  for (const int thread : {0, 1, 5, kMaxThreads - 1}) {
    const std::uintptr_t block = allocate(thread, 5000);
    EXPECT_TRUE(is_heap(block));
    EXPECT_TRUE(is_heap(block + 4999));
    EXPECT_EQ(ProgramHeap::owner(block), thread);
    EXPECT_EQ(ProgramHeap::owner(block + 4999), thread);
  }
}

TEST_F(Heap, GoesUpAndUsesNothingAgain) {
  std::uintptr_t end = 0;
  for (int i = 0; i < 200; ++i) {
    const std::size_t size = kSizes[static_cast<std::size_t>(i) % std::size(kSizes)];
    const std::uintptr_t block = allocate(1, size);
    EXPECT_GT(block, end);  // a byte between two blocks at least
    end = block + size;
    if (i % 3 != 0) release(block);
  }
}

TEST_F(Heap, BlocksAreAlignedAsAskedAndForAnyType) {
  for (std::size_t alignment = 1; alignment <= 65536; alignment *= 2)
    for (const std::size_t size : {1, 17, 40}) {
      const std::uintptr_t block = allocate(0, size, {.alignment = alignment});
      EXPECT_EQ(block % alignment, 0U) << alignment;
      EXPECT_EQ(block % alignof(std::max_align_t), 0U) << alignment;
    }
}

// --- states ----------------------------------------------------------------------------------------------------------

TEST_F(Heap, ExactlyTheBytesOfABlockAreLive) {
  for (const std::size_t size : kSizes) {
    SCOPED_TRACE(size);
    const std::uintptr_t block = allocate(2, size);
    for (std::size_t i = 0; i < size; ++i) ASSERT_TRUE(ProgramHeap::is_live(block + i)) << i;
    for (std::size_t i = 1; i <= 16; ++i) {
      EXPECT_FALSE(ProgramHeap::is_live(block - i)) << i;
      EXPECT_FALSE(ProgramHeap::is_live(block + size + i - 1)) << i;
    }
  }
}

TEST_F(Heap, BetweenBlocksIsNothingLiveAndBehindTheLastNothingUsed) {
  std::uintptr_t end = 0;
  for (const std::size_t size : kSizes) {
    const std::uintptr_t block = allocate(0, size, {.alignment = 512});
    if (end != 0) {
      for (std::uintptr_t at = end; at < block; ++at) ASSERT_FALSE(ProgramHeap::is_live(at));
      for (std::uintptr_t at = (end + 15) / 16 * 16; at < block; at += 16) ASSERT_EQ(ProgramHeap::state(at), State::kBetween);
    }
    end = block + size;
  }
  for (std::uintptr_t at = end + 64; at < end + 10000; ++at) ASSERT_EQ(ProgramHeap::state(at), State::kUnused);
}

TEST_F(Heap, AnEmptyBlockHasAnAddressOfItsOwn) {
  const std::uintptr_t first = allocate(0, 0), second = allocate(0, 0), third = allocate(0, 1);
  EXPECT_NE(first, 0U);
  EXPECT_GT(second, first);
  EXPECT_GT(third, second);
  EXPECT_EQ(ProgramHeap::find(second).address, second);
  EXPECT_EQ(ProgramHeap::find(second).size, 0U);
  EXPECT_EQ(release(second), FreeResult::kDone);
  EXPECT_EQ(release(second), FreeResult::kTwice);
  EXPECT_EQ(release(first), FreeResult::kDone);
}

// [basic.stc.dynamic.allocation]p2: nobody may access what new or malloc of 0 bytes gives.
TEST_F(Heap, NoByteOfAnEmptyBlockIsLive) {
  const std::uintptr_t block = allocate(0, 0);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_FALSE(ProgramHeap::is_live(block + i)) << i;
}

// --- giving back -----------------------------------------------------------------------------------------------------

TEST_F(Heap, FreedBytesStayRecognisable) {
  for (const std::size_t size : kSizes) {
    SCOPED_TRACE(size);
    const std::uintptr_t before = allocate(0, 24), block = allocate(0, size), behind = allocate(0, 24);
    EXPECT_EQ(release(block), FreeResult::kDone);
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(ProgramHeap::state(block + i), State::kFreed) << i;
      ASSERT_FALSE(ProgramHeap::is_live(block + i)) << i;
    }
    for (std::size_t i = 0; i < 24; ++i) {
      EXPECT_TRUE(ProgramHeap::is_live(before + i)) << i;
      EXPECT_TRUE(ProgramHeap::is_live(behind + i)) << i;
    }
    EXPECT_NE(ProgramHeap::state(block - 1), State::kFreed);
    EXPECT_NE(ProgramHeap::state(block + (size + 15) / 16 * 16), State::kFreed);
  }
}

TEST_F(Heap, ABlockIsGivenBackOnceByWhomever) {
  const std::uintptr_t block = allocate(1, 100);
  EXPECT_EQ(release(block, 2), FreeResult::kDone);
  EXPECT_EQ(release(block, 2), FreeResult::kTwice);
  EXPECT_EQ(release(block, 1), FreeResult::kTwice);
}

TEST_F(Heap, OnlyTheStartOfABlockCanBeGivenBack) {
  const std::uintptr_t block = allocate(0, 100);
  int local = 0;
  for (const std::uintptr_t wrong : {block + 1, block + 16, block + 99, block + 100, block - 1, block - 16, block + 1000,
                                     kHeapBase, kHeapBase + 7 * kHeapStride + 48, kHeapEnd, std::uintptr_t{0},
                                     reinterpret_cast<std::uintptr_t>(&local)})
    EXPECT_EQ(release(wrong), FreeResult::kNotABlock) << std::hex << wrong;
  EXPECT_TRUE(ProgramHeap::is_live(block));
  EXPECT_TRUE(ProgramHeap::is_live(block + 99));
  EXPECT_EQ(release(block), FreeResult::kDone);
  EXPECT_EQ(release(block + 1), FreeResult::kNotABlock);
}

// --- finding ---------------------------------------------------------------------------------------------------------

TEST_F(Heap, FindsTheBlockOfEachOfItsBytes) {
  for (const std::size_t size : kSizes) {
    SCOPED_TRACE(size);
    const std::uintptr_t block = allocate(4, size, {.clock = 17, .stack = 23});
    for (const std::size_t i : {std::size_t{0}, size / 2, size - 1}) {
      const Block found = ProgramHeap::find(block + i);
      EXPECT_EQ(found.address, block);
      EXPECT_EQ(found.size, size);
      EXPECT_EQ(found.thread, 4);
      EXPECT_EQ(found.clock, 17);
      EXPECT_EQ(found.allocated, 23U);
      EXPECT_EQ(found.freed, 0U);
      EXPECT_EQ(found.freed_by, -1);
    }
    for (const std::uintptr_t outside : {block - 1, block + size, block + size + 1000})
      EXPECT_EQ(ProgramHeap::find(outside).address, 0U);
  }
}

TEST_F(Heap, FindsNothingOutsideBlocks) {
  allocate(1, 10);
  for (const std::uintptr_t outside : {std::uintptr_t{0}, kHeapBase - 1, kHeapBase, kHeapBase + kHeapStride,
                                       kHeapBase + 9 * kHeapStride + 48, kHeapEnd, kStackBase, ~std::uintptr_t{0}})
    EXPECT_EQ(ProgramHeap::find(outside).address, 0U) << std::hex << outside;
}

TEST_F(Heap, KnowsWhoGaveABlockBackAndWhere) {
  std::vector<std::uintptr_t> blocks;
  for (std::uint32_t i = 0; i < 300; ++i) blocks.push_back(allocate(static_cast<int>(i % 2), 1 + i, {.stack = i}));
  for (std::uint32_t i = 0; i < 300; i += 2) release(blocks[i], static_cast<int>(i), 1000 + i);
  for (std::uint32_t i = 0; i < 300; ++i) {
    const Block found = ProgramHeap::find(blocks[i] + i);  // its last byte
    EXPECT_EQ(found.address, blocks[i]);
    EXPECT_EQ(found.allocated, i);
    EXPECT_EQ(found.freed_by, i % 2 == 0 ? static_cast<int>(i) : -1);
    EXPECT_EQ(found.freed, i % 2 == 0 ? 1000 + i : 0U);
  }
}

// --- contents --------------------------------------------------------------------------------------------------------

TEST_F(Heap, MemoryIsUntouchedUntilSomebodyChangesAByte) {
  const std::uintptr_t block = allocate(0, 100);
  EXPECT_TRUE(ProgramHeap::is_untouched(block, 100));
  const unsigned char old = *bytes(block + 40);
  *bytes(block + 40) = static_cast<unsigned char>(old + 1);
  EXPECT_FALSE(ProgramHeap::is_untouched(block, 100));
  EXPECT_FALSE(ProgramHeap::is_untouched(block + 40, 1));
  EXPECT_FALSE(ProgramHeap::is_untouched(block + 33, 8));
  EXPECT_TRUE(ProgramHeap::is_untouched(block + 41, 8));
  EXPECT_TRUE(ProgramHeap::is_untouched(block + 32, 8));
}

TEST_F(Heap, MemoryOfCallocIsZeroAndCountsAsWritten) {
  for (int execution = 0; execution < 2; ++execution) {
    const std::uintptr_t block = allocate(0, 100, {.clear = true});
    for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(*bytes(block + i), 0) << i;
    EXPECT_FALSE(ProgramHeap::is_untouched(block, 100));
    std::memset(bytes(block), *bytes(allocate(0, 1)), 100);  // looks as if it came from malloc
    EXPECT_FALSE(ProgramHeap::is_untouched(block, 8));
    ProgramHeap::reset();
  }
}

TEST_F(Heap, TheNextExecutionDoesNotSeeWhatTheLastOneWrote) {
  const std::uintptr_t block = allocate(0, 100);
  std::memset(bytes(block), 1, 100);
  ProgramHeap::reset();
  ASSERT_EQ(allocate(0, 100), block);
  EXPECT_TRUE(ProgramHeap::is_untouched(block, 100));
}

// --- limits, executions ----------------------------------------------------------------------------------------------

TEST_F(Heap, WhatIsTooLargeIsNotGiven) {
  const std::uintptr_t before = allocate(0, 1);
  for (const std::size_t size : {ProgramHeap::kMostMemory, ProgramHeap::kMostMemory + 1, kHeapStride, kHeapStride + 1,
                                 ~std::size_t{0} - 4096, ~std::size_t{0}})
    EXPECT_EQ(allocate(0, size), 0U) << size;
  const std::uintptr_t behind = allocate(0, 1);
  EXPECT_GT(behind, before);
  EXPECT_LT(behind, before + 100);  // nothing was lost
}

// Alignment takes addresses without touching the memory.
TEST_F(Heap, WhatAThreadTookCountsUntilTheExecutionEnds) {
  constexpr std::size_t kHalf = ProgramHeap::kMostMemory / 2;
  const std::uintptr_t block = allocate(1, 1, {.alignment = kHalf});
  EXPECT_NE(block, 0U);
  EXPECT_EQ(allocate(1, 1, {.alignment = kHalf}), 0U);
  EXPECT_EQ(allocate(1, kHalf), 0U);
  EXPECT_EQ(release(block), FreeResult::kDone);
  EXPECT_EQ(allocate(1, 1, {.alignment = kHalf}), 0U);
  EXPECT_NE(allocate(1, 1000), 0U);
  EXPECT_NE(allocate(2, 1, {.alignment = kHalf}), 0U);  // another thread
  ProgramHeap::reset();
  EXPECT_EQ(allocate(1, 1, {.alignment = kHalf}), block);
}

TEST_F(Heap, EverythingHandedOutIsVisited) {
  int visited = 0;
  ProgramHeap::for_each_used([&](const void*, std::size_t) { ++visited; });
  EXPECT_EQ(visited, 0);
  std::vector<Block> blocks;
  for (const int thread : {0, 3})
    for (const std::size_t size : kSizes) blocks.push_back({.address = allocate(thread, size), .size = size});
  release(blocks.front().address);
  std::vector<int> threads;
  std::vector<bool> seen(blocks.size());
  ProgramHeap::for_each_used([&](const void* data, std::size_t size) {
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    threads.push_back(ProgramHeap::owner(begin));
    EXPECT_EQ(ProgramHeap::state(begin + size), State::kUnused);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (blocks[i].address >= begin && blocks[i].address + blocks[i].size <= begin + size) seen[i] = true;
  });
  EXPECT_EQ(threads, (std::vector<int>{0, 3}));
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<long>(blocks.size()));
}

TEST_F(Heap, AfterAResetNothingWasEverHandedOut) {
  std::vector<std::uintptr_t> blocks;
  for (const int thread : {0, 6})
    for (const std::size_t size : kSizes) blocks.push_back(allocate(thread, size));
  const std::uintptr_t ends[] = {blocks[std::size(kSizes) - 1] + 100001, blocks.back() + 100001};
  release(blocks.front());
  ProgramHeap::reset();
  for (const std::uintptr_t end : ends)
    for (std::uintptr_t at = end / kHeapStride * kHeapStride; at < end + 64; ++at)
      ASSERT_EQ(ProgramHeap::state(at), State::kUnused);
  for (const std::uintptr_t block : blocks) {
    EXPECT_EQ(ProgramHeap::find(block).address, 0U);
    EXPECT_EQ(release(block), FreeResult::kNotABlock);
  }
  ProgramHeap::for_each_used([&](const void*, std::size_t) { ADD_FAILURE(); });
  ASSERT_EQ(allocate(0, kSizes[0]), blocks.front());
  EXPECT_EQ(ProgramHeap::find(blocks.front()).freed_by, -1);
  EXPECT_EQ(release(blocks.front()), FreeResult::kDone);
}

// --- against a plain list of blocks ----------------------------------------------------------------------------------

struct Listed {
  std::uintptr_t address;
  std::size_t size;
  int freed_by;
};

void compare_at(std::uintptr_t at, const std::vector<Listed>& list) {
  Listed expected{0, 0, -1};
  for (const Listed& block : list)
    if (at >= block.address && at < block.address + block.size) expected = block;
  const Block found = ProgramHeap::find(at);
  ASSERT_EQ(found.address, expected.address);
  ASSERT_EQ(found.size, expected.size);
  ASSERT_EQ(found.freed_by, expected.freed_by);
  ASSERT_EQ(ProgramHeap::is_live(at), expected.address != 0 && expected.freed_by < 0);
  ASSERT_EQ(ProgramHeap::state(at) == State::kFreed && found.address != 0, expected.freed_by >= 0);
}

TEST_F(Heap, AgreesWithAListOfBlocks) {
  base::Rng rng(1);
  for (int execution = 0; execution < tests::scaled(50); ++execution) {
    ProgramHeap::reset();
    std::vector<Listed> list;
    for (int step = 0; step < 100; ++step) {
      const int thread = rng.below(3);
      if (list.empty() || rng.chance(60)) {
        const auto size = static_cast<std::size_t>(1 + rng.below(80));
        list.push_back({allocate(thread, size, {.alignment = std::size_t{1} << rng.below(8)}), size, -1});
      } else {
        Listed& block = list[static_cast<std::size_t>(rng.below(static_cast<int>(list.size())))];
        ASSERT_EQ(release(block.address, thread), block.freed_by < 0 ? FreeResult::kDone : FreeResult::kTwice);
        if (block.freed_by < 0) block.freed_by = thread;
      }
      const Listed& near = list[static_cast<std::size_t>(rng.below(static_cast<int>(list.size())))];
      for (int i = 0; i < 10; ++i) {
        compare_at(near.address - 20 + static_cast<std::size_t>(rng.below(120)), list);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace ordeal::runtime::testing
