#include "base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

namespace ordeal::base {
namespace {

std::vector<std::uint64_t> first_numbers(Rng rng, int count) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(rng.next());
  return numbers;
}

TEST(Rng, EqualSeedsAndStreamsGiveEqualNumbers) {
  EXPECT_EQ(first_numbers(Rng(7, 3), 100), first_numbers(Rng(7, 3), 100));
  EXPECT_EQ(first_numbers(Rng(7), 100), first_numbers(Rng(7, 0), 100));
}

TEST(Rng, StreamsAndSeedsShareNoNumbers) {
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  for (const std::uint64_t seed : {0, 1, 2, 3})
    for (const std::uint64_t stream : {0, 1, 2, 3})
      for (const std::uint64_t number : first_numbers(Rng(seed, stream), 200)) {
        seen.insert(number);
        ++drawn;
      }
  EXPECT_EQ(seen.size(), drawn);
}

TEST(Rng, SeedAndStreamAreNotInterchangeable) { EXPECT_NE(first_numbers(Rng(1, 2), 10), first_numbers(Rng(2, 1), 10)); }

TEST(Rng, TheNthNumberDoesNotDependOnHowTheOthersWereUsed) {
  const std::vector<std::uint64_t> plain = first_numbers(Rng(42, 5), 100);
  Rng mixed(42, 5);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (i % 4 == 0) mixed.below(17);
    else if (i % 4 == 1) mixed.chance(30);
    else EXPECT_EQ(mixed.next(), plain[i]) << "number " << i;
  }
}

TEST(Rng, BelowStaysInRangeAndCoversIt) {
  for (const int bound : {1, 2, 3, 4, 5, 7, 8, 10, 16, 100}) {
    Rng rng(static_cast<std::uint64_t>(bound));
    std::vector<int> hits(static_cast<std::size_t>(bound), 0);
    const int draws = 1000 * bound;
    for (int i = 0; i < draws; ++i) {
      const int number = rng.below(bound);
      ASSERT_GE(number, 0);
      ASSERT_LT(number, bound);
      ++hits[static_cast<std::size_t>(number)];
    }
    for (const int hit : hits) {  // 1000 expected, standard deviation at most 32
      EXPECT_GT(hit, 800) << "bound " << bound;
      EXPECT_LT(hit, 1200) << "bound " << bound;
    }
  }
}

TEST(Rng, BelowReachesTheTopOfALargeRange) {
  const int bound = std::numeric_limits<int>::max();
  Rng rng(1);
  int least = bound, greatest = 0;
  for (int i = 0; i < 1000; ++i) {
    const int number = rng.below(bound);
    ASSERT_GE(number, 0);
    ASSERT_LT(number, bound);
    least = std::min(least, number);
    greatest = std::max(greatest, number);
  }
  EXPECT_LT(least, bound / 100);
  EXPECT_GT(greatest, bound - bound / 100);
}

TEST(Rng, ChanceIsAPercentage) {
  Rng rng(1);
  int hits = 0;
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_FALSE(rng.chance(0));
    EXPECT_TRUE(rng.chance(100));
    hits += rng.chance(30) ? 1 : 0;
  }
  EXPECT_GT(hits, 2700);
  EXPECT_LT(hits, 3300);
}

TEST(Rng, MixIsOneToOneOnSmallNumbersAndChangesHalfOfTheBits) {
  std::set<std::uint64_t> images;
  for (std::uint64_t x = 0; x < 10'000; ++x) images.insert(mix(x));
  EXPECT_EQ(images.size(), 10'000u);
  for (int bit = 0; bit < 64; ++bit) {
    int flipped = 0;
    for (std::uint64_t x = 1; x <= 100; ++x) flipped += __builtin_popcountll(mix(x * 77) ^ mix((x * 77) ^ (std::uint64_t{1} << bit)));
    EXPECT_GT(flipped, 100 * 28) << "bit " << bit;
    EXPECT_LT(flipped, 100 * 36) << "bit " << bit;
  }
}

}  // namespace
}  // namespace ordeal::base
