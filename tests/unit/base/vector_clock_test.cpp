#include "base/vector_clock.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"

namespace ordeal::base {
namespace {

using Clock = std::vector<ClockEntry>;

/// Small entries, so that two clocks often agree in one.
Clock random_clock(Rng& rng, int width) {
  Clock clock;
  for (int i = 0; i < width; ++i) clock.push_back(rng.below(4));
  return clock;
}

/// Calls `check(rng, width)` for each width a graph may have, many times.
template <class Check>
void for_random_widths(Check&& check) {
  Rng rng(1);
  for (int width = 4; width <= 64; width += 4)
    for (int round = 0; round < 100; ++round) {
      check(rng, width);
      if (::testing::Test::HasFailure()) return;
    }
}

TEST(VectorClock, WidthsArePaddedToTheNextMultipleOfFour) {
  for (int entries = 0; entries <= 65; ++entries) {
    EXPECT_EQ(padded_width(entries) % 4, 0);
    EXPECT_GE(padded_width(entries), entries);
    EXPECT_LT(padded_width(entries), entries + 4);
  }
}

TEST(VectorClock, JoinIsThePointwiseMaximum) {
  for_random_widths([](Rng& rng, int width) {
    Clock into = random_clock(rng, width);
    const Clock from = random_clock(rng, width);
    Clock expected;
    for (std::size_t i = 0; i < into.size(); ++i) expected.push_back(into[i] > from[i] ? into[i] : from[i]);
    const Clock from_before = from;
    join(into.data(), from.data(), width);
    EXPECT_EQ(into, expected);
    EXPECT_EQ(from, from_before);
  });
}

TEST(VectorClock, CopyTakesEveryEntryAndNoMore) {
  for_random_widths([](Rng& rng, int width) {
    const Clock from = random_clock(rng, width);
    Clock into = random_clock(rng, width + 4);
    const Clock behind(into.end() - 4, into.end());
    copy(into.data(), from.data(), width);
    EXPECT_EQ(Clock(into.begin(), into.end() - 4), from);
    EXPECT_EQ(Clock(into.end() - 4, into.end()), behind);
  });
}

TEST(VectorClock, ClearZeroesEveryEntryAndNoMore) {
  for_random_widths([](Rng&, int width) {
    Clock clock(static_cast<std::size_t>(width) + 4, 7);
    clear(clock.data(), width);
    EXPECT_EQ(Clock(clock.begin(), clock.end() - 4), Clock(static_cast<std::size_t>(width), 0));
    EXPECT_EQ(Clock(clock.end() - 4, clock.end()), Clock(4, 7));
  });
}

TEST(VectorClock, CoversMeansNoEntryIsSmaller) {
  int covered = 0;
  for_random_widths([&](Rng& rng, int width) {
    const Clock into = random_clock(rng, width);
    Clock from = into;
    // Half of the time below `into`, then raised in one place.
    for (ClockEntry& entry : from) entry -= entry > 0 ? rng.below(2) : 0;
    if (rng.chance(50)) from[static_cast<std::size_t>(rng.below(width))] += 1;
    bool expected = true;
    for (std::size_t i = 0; i < into.size(); ++i) expected = expected && from[i] <= into[i];
    EXPECT_EQ(covers(into.data(), from.data(), width), expected);
    covered += expected ? 1 : 0;
  });
  EXPECT_GT(covered, 400);  // both answers occur
  EXPECT_LT(covered, 1400);
}

TEST(VectorClock, CoversSeesASingleEntryThatIsTooLarge) {
  for (int width = 4; width <= 64; width += 4)
    for (int at = 0; at < width; ++at) {
      const Clock into(static_cast<std::size_t>(width), 5);
      Clock from = into;
      EXPECT_TRUE(covers(into.data(), from.data(), width));
      from[static_cast<std::size_t>(at)] = 6;
      EXPECT_FALSE(covers(into.data(), from.data(), width));
    }
}

}  // namespace
}  // namespace ordeal::base
