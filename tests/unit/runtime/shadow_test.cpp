// Shadow memory looks at addresses only, never at what is there: here they are made up.
#include "runtime/shadow.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/rng.h"

namespace ordeal::runtime::testing {
namespace {

using base::ClockEntry;
using Clocks = std::array<ClockEntry, 8>;

struct Sort {
  bool is_write;
  bool is_atomic;
};
constexpr Sort kRead{false, false}, kWrite{true, false}, kAtomicRead{false, true}, kAtomicWrite{true, true};
constexpr Sort kSorts[] = {kRead, kWrite, kAtomicRead, kAtomicWrite};
constexpr std::uintptr_t kPlace = 0x5000;  // the start of a page

struct Range {
  std::uintptr_t address = kPlace;
  std::size_t size = 8;
};
bool overlap(const Range& a, const Range& b) { return a.address < b.address + b.size && b.address < a.address + a.size; }

/// An access of a thread that has made `clock` events and knows `hb`.
Shadow::Result note(int thread, Sort sort, Range range = {}, ClockEntry clock = 0, const Clocks& hb = {}) {
  Shadow::Result result;
  Shadow::note({range.address, range.size, sort.is_write, sort.is_atomic, thread, clock}, hb.data(), result);
  return result;
}
/// The same of a thread that knows so many events of thread 0.
Shadow::Result note_knowing(ClockEntry events, int thread, Sort sort, Range range = {}) {
  return note(thread, sort, range, 0, {events});
}

class ShadowMemory : public ::testing::Test {
 protected:
  void SetUp() override { Shadow::reset(); }
};

// --- which accesses race ---------------------------------------------------------------------------------------------

// [intro.races]: two accesses conflict if one of them writes; they race if one of them is not atomic.
TEST_F(ShadowMemory, UnorderedAccessesRaceIfOneWritesAndOneIsPlain) {
  for (const Sort first : kSorts)
    for (const Sort second : kSorts) {
      Shadow::reset();
      EXPECT_FALSE(note(0, first).races);
      const bool expected = (first.is_write || second.is_write) && !(first.is_atomic && second.is_atomic);
      EXPECT_EQ(note(1, second).races, expected);
    }
}

TEST_F(ShadowMemory, OrderedAccessesDoNotRace) {
  for (const Sort first : kSorts)
    for (const Sort second : kSorts) {
      Shadow::reset();
      note(0, first);
      EXPECT_FALSE(note_knowing(1, 1, second).races);
    }
}

TEST_F(ShadowMemory, AccessesOfOneThreadDoNotRace) {
  for (const Sort first : kSorts)
    for (const Sort second : kSorts) {
      Shadow::reset();
      note(0, first);
      EXPECT_FALSE(note(0, second).races);
    }
}

TEST_F(ShadowMemory, AnAccessHappensBeforeWhoKnowsAnEventBehindIt) {
  for (ClockEntry known = 0; known < 10; ++known) {
    Shadow::reset();
    note(0, kWrite, {}, 5);
    EXPECT_EQ(note_knowing(known, 1, kRead).races, known <= 5) << known;
  }
}

TEST_F(ShadowMemory, WhatIsKnownOfOtherThreadsDoesNotCount) {
  note(2, kWrite);
  EXPECT_TRUE(note(1, kRead, {}, 0, {9, 9, 0, 9, 9, 9, 9, 9}).races);
  EXPECT_FALSE(note(3, kRead, {}, 0, {0, 0, 1, 0, 0, 0, 0, 0}).races);
}

TEST_F(ShadowMemory, TellsWithWhichAccessItRaces) {
  Shadow::Result result;
  Shadow::note({kPlace, 4, true, false, 0, 3, 71, 72, true}, Clocks{}.data(), result);
  Shadow::note({kPlace + 4, 4, false, true, 2, 6, 81, 82}, Clocks{}.data(), result);
  EXPECT_FALSE(result.races);
  const auto noted = [](const ShadowAccess& other) {
    return std::tuple(other.thread, other.clock, other.stack, other.site, other.is_write, other.is_atomic, other.is_free);
  };
  EXPECT_TRUE(note(1, kRead, {kPlace, 4}).races);
  EXPECT_EQ(noted(Shadow::rival()), std::tuple(0, 3, 71U, 72U, true, false, true));
  EXPECT_TRUE(note(1, kWrite, {kPlace + 4, 4}).races);
  EXPECT_EQ(noted(Shadow::rival()), std::tuple(2, 6, 81U, 82U, false, true, false));
}

// --- which bytes -----------------------------------------------------------------------------------------------------

// Two granules of eight bytes, in one page and in two.
TEST_F(ShadowMemory, OnlyACommonByteMakesARace) {
  for (const std::uintptr_t base : {kPlace, kPlace - 8}) {
    std::vector<Range> ranges;
    for (std::size_t offset = 0; offset < 16; ++offset)
      for (std::size_t size = 1; offset + size <= 16; ++size) ranges.push_back({base + offset, size});
    for (const Range& first : ranges)
      for (const Range& second : ranges) {
        Shadow::reset();
        note(0, kWrite, first);
        ASSERT_EQ(note(1, kAtomicRead, second).races, overlap(first, second))
            << first.address << "+" << first.size << ", " << second.address << "+" << second.size;
      }
  }
}

TEST_F(ShadowMemory, EveryByteOfALargeAccessCounts) {
  const Range large{kPlace - 13, 10007};  // over four pages, from no boundary to no boundary
  for (const Sort sort : {kRead, kAtomicWrite}) {
    Shadow::reset();
    note(0, sort, large);
    for (std::size_t i = 0; i < large.size; ++i) ASSERT_TRUE(note(1, kWrite, {large.address + i, 1}).races) << i;
    EXPECT_FALSE(note(1, kWrite, {large.address - 1, 1}).races);
    EXPECT_FALSE(note(1, kWrite, {large.address + large.size, 1}).races);
  }
}

TEST_F(ShadowMemory, ALargeAccessMeetsEverySmallOne) {
  const Range large{kPlace - 13, 10007};
  for (std::size_t i = 0; i < large.size; i += 101) {
    Shadow::reset();
    note(0, kAtomicWrite, {large.address + i, 1});
    const Shadow::Result result = note(1, kRead, large);
    ASSERT_TRUE(result.races && result.met_atomic && result.met_atomic_write) << i;
  }
}

// --- what is kept ----------------------------------------------------------------------------------------------------

TEST_F(ShadowMemory, ALaterAccessOfTheSameThreadHidesNoneThatCouldRace) {
  note(0, kWrite, {kPlace, 8}, 0);
  note(0, kWrite, {kPlace + 2, 1}, 5);
  EXPECT_TRUE(note_knowing(0, 1, kRead, {kPlace + 7, 1}).races);
  EXPECT_FALSE(note_knowing(1, 1, kRead, {kPlace + 7, 1}).races);
  EXPECT_TRUE(note_knowing(1, 1, kRead, {kPlace + 2, 1}).races);
  EXPECT_FALSE(note_knowing(6, 1, kRead, {kPlace, 8}).races);
}

TEST_F(ShadowMemory, ALaterLargerAccessOfTheSameThreadTakesThePlaceOfASmallerOne) {
  note(0, kWrite, {kPlace + 2, 1}, 0);
  note(0, kWrite, {kPlace, 4}, 5);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(note_knowing(5, 1, kRead, {kPlace + i, 1}).races, i < 4) << i;
}

TEST_F(ShadowMemory, AccessesOfAnotherSortHideNothing) {
  for (const Sort first : kSorts)
    for (const Sort second : kSorts) {
      Shadow::reset();
      note(0, first, {}, 0);
      note(0, second, {}, 1);
      for (const Sort third : kSorts) {
        const auto conflict = [&](Sort a) { return (a.is_write || third.is_write) && !(a.is_atomic && third.is_atomic); };
        EXPECT_EQ(note_knowing(0, 1, third).races, conflict(first) || conflict(second));
      }
    }
}

TEST_F(ShadowMemory, ReadsOfSeveralThreadsAreAllKept) {
  for (int unknown = 0; unknown < 6; ++unknown) {
    Shadow::reset();
    Clocks hb;
    hb.fill(1);
    for (int thread = 0; thread < 6; ++thread) note(thread, kRead);
    EXPECT_FALSE(note(7, kWrite, {}, 0, hb).races);
    hb[static_cast<std::size_t>(unknown)] = 0;
    const Shadow::Result result = note(6, kWrite, {}, 0, hb);
    EXPECT_TRUE(result.races);
    EXPECT_EQ(Shadow::rival().thread, unknown);
  }
}

TEST_F(ShadowMemory, NothingIsLostWhenItGrows) {
  constexpr std::size_t kPages = 1500, kGranules = 6;  // more than 4,096 records, and the table of pages grows twice
  const auto place = [](std::size_t page, std::size_t granule) {  // at random: some pages collide in the table
    return Range{(base::mix(page + 1) >> 30 << 12) + granule * 640, 4 + granule % 5};
  };
  for (std::size_t page = 0; page < kPages; ++page)
    for (std::size_t granule = 0; granule < kGranules; ++granule)
      note(0, kWrite, place(page, granule), static_cast<ClockEntry>(page + granule));
  for (std::size_t page = 0; page < kPages; ++page)
    for (std::size_t granule = 0; granule < kGranules; ++granule) {
      const auto clock = static_cast<ClockEntry>(page + granule);
      const Range range = place(page, granule);
      ASSERT_TRUE(note_knowing(clock, 1, kRead, range).races);
      ASSERT_FALSE(note_knowing(clock + 1, 1, kRead, range).races);
      ASSERT_FALSE(note(1, kRead, {range.address + range.size, 8}).races);
    }
}

TEST_F(ShadowMemory, TheNextExecutionKnowsNothing) {
  note(0, kWrite);
  note(0, kAtomicWrite);
  Shadow::reset();
  EXPECT_FALSE(Shadow::is_written(kPlace, 1));
  EXPECT_EQ(Shadow::find_unordered_of_other_size(kPlace, 4, 1, Clocks{}.data()).size, 0U);
  const Shadow::Result result = note(1, kWrite);
  EXPECT_FALSE(result.races);
  EXPECT_FALSE(result.met_atomic);
  EXPECT_FALSE(result.met_atomic_write);
}

// --- atomic accesses that were there before --------------------------------------------------------------------------

// Whoever made them and whether they are ordered: it makes no difference here. Only plain accesses are told.
TEST_F(ShadowMemory, MeetsAtomicAccesses) {
  for (const Sort first : kSorts)
    for (const Sort second : kSorts)
      for (const int thread : {0, 1})
        for (const ClockEntry known : {0, 1}) {
          Shadow::reset();
          note(0, first, {kPlace + 2, 4});
          const Shadow::Result result = note_knowing(known, thread, second, {kPlace + 5, 2});
          const bool meets = first.is_atomic && !second.is_atomic;
          EXPECT_EQ(result.met_atomic, meets);
          EXPECT_EQ(result.met_atomic_write, meets && first.is_write);
          const Shadow::Result beside = note_knowing(known, thread, second, {kPlace + 7, 1});
          EXPECT_FALSE(beside.met_atomic || beside.met_atomic_write);
        }
}

TEST_F(ShadowMemory, MeetsAnAtomicAccessBehindPlainOnes) {
  note(0, kAtomicRead);
  note(0, kWrite);
  note(0, kRead);
  EXPECT_TRUE(note(0, kWrite).met_atomic);
  EXPECT_FALSE(note(0, kWrite).met_atomic_write);
  note(0, kAtomicWrite, {kPlace + 3, 1});
  EXPECT_TRUE(note(0, kWrite).met_atomic_write);
  EXPECT_FALSE(note(0, kWrite, {kPlace + 4, 4}).met_atomic_write);
}

// --- what was written ------------------------------------------------------------------------------------------------

TEST_F(ShadowMemory, OnlyWritesWrite) {
  for (const Sort sort : kSorts) {
    Shadow::reset();
    EXPECT_FALSE(Shadow::is_written(kPlace, 4));
    note(0, sort, {kPlace, 4});
    EXPECT_EQ(Shadow::is_written(kPlace, 4), sort.is_write);
  }
}

TEST_F(ShadowMemory, AllBytesMustBeWrittenByWhomever) {
  note(0, kWrite, {kPlace - 3, 3});
  note(1, kAtomicWrite, {kPlace, 2});
  note(2, kRead, {kPlace - 10, 30});
  for (std::uintptr_t begin = kPlace - 10; begin < kPlace + 10; ++begin)
    for (std::size_t size = 1; size < 20; ++size)
      EXPECT_EQ(Shadow::is_written(begin, size), begin >= kPlace - 3 && begin + size <= kPlace + 2) << begin << "+" << size;
  note(1, kWrite, {kPlace + 3, 5});
  EXPECT_FALSE(Shadow::is_written(kPlace - 3, 11));  // one byte is missing
  note(1, kWrite, {kPlace + 2, 1});
  EXPECT_TRUE(Shadow::is_written(kPlace - 3, 11));
}

// --- atomic accesses of another size ---------------------------------------------------------------------------------

bool has_other_size(const Range& range, int thread = 1, ClockEntry known = 0) {
  return Shadow::find_unordered_of_other_size(range.address, range.size, thread, Clocks{known}.data()).size != 0;
}

TEST_F(ShadowMemory, FindsAtomicAccessesOfAnotherSize) {
  std::vector<Range> ranges;
  for (std::size_t size = 1; size <= 8; size *= 2)
    for (std::size_t offset = 0; offset < 16; offset += size) ranges.push_back({kPlace - 8 + offset, size});
  for (const Range& first : ranges)
    for (const Range& second : ranges)
      for (const Sort sort : kSorts) {
        Shadow::reset();
        note(0, sort, first, 4);
        const bool expected = sort.is_atomic && overlap(first, second) && first.size != second.size;
        EXPECT_EQ(has_other_size(second, 1, 4), expected);
        EXPECT_FALSE(has_other_size(second, 1, 5));  // it happens before
        EXPECT_FALSE(has_other_size(second, 0, 0));  // it is the thread's own
      }
}

TEST_F(ShadowMemory, FindsAtomicAccessesOfAnotherSizeWhereOneHas16Bytes) {
  for (std::size_t size = 1; size <= 8; size *= 2)
    for (std::size_t offset = 0; offset < 16; offset += size) {
      SCOPED_TRACE(::testing::Message() << offset << "+" << size);
      const Range large{kPlace, 16}, small{kPlace + offset, size};
      Shadow::reset();
      note(0, kAtomicWrite, large);
      EXPECT_TRUE(has_other_size(small));
      Shadow::reset();
      note(0, kAtomicWrite, small);
      EXPECT_TRUE(has_other_size(large));
      Shadow::reset();
      note(0, kAtomicWrite, large);
      EXPECT_FALSE(has_other_size(large));
    }
}

TEST_F(ShadowMemory, FindsAnAtomicAccessOfAnotherSizeBeforeOneOfTheSame) {
  note(0, kAtomicWrite, {kPlace, 4});
  note(0, kAtomicWrite, {kPlace, 8});
  EXPECT_TRUE(has_other_size({kPlace, 8}));
}

}  // namespace
}  // namespace ordeal::runtime::testing
