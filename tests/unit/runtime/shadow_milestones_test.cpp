// Shadow memory goes back to a milestone.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/rng.h"
#include "base/vector_clock.h"
#include "runtime/shadow.h"
#include "tests/support/scale.h"

namespace ordeal::runtime::testing {
namespace {

class ShadowMilestones : public ::testing::Test {
 protected:
  using Clocks = std::array<base::ClockEntry, 4>;
  static constexpr std::uintptr_t kHere = 0x9000;

  void SetUp() override { Shadow::reset(); }
  void TearDown() override { Shadow::reset(); }

  static Shadow::Result access(int thread, bool is_write, std::uintptr_t address = kHere, base::ClockEntry clock = 0, const Clocks& hb = {},
                               std::size_t size = 8, bool is_atomic = false) {
    Shadow::Result result;
    Shadow::note({address, size, is_write, is_atomic, thread, clock}, hb.data(), result);
    return result;
  }
  static bool write(int thread, std::uintptr_t address = kHere, base::ClockEntry clock = 0, const Clocks& hb = {}) {
    return access(thread, true, address, clock, hb).races;
  }
};

TEST_F(ShadowMilestones, WhatWasNotedBeforeIsRemembered) {
  write(0);
  access(1, false, kHere + 8);
  const Shadow::Image image = Shadow::keep();
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_TRUE(write(2));
    EXPECT_TRUE(write(2, kHere + 8));
    EXPECT_TRUE(Shadow::is_written(kHere, 16));
    Shadow::go_back(image);
    EXPECT_TRUE(Shadow::is_written(kHere, 8));
    EXPECT_FALSE(Shadow::is_written(kHere + 8, 1));
  }
}

TEST_F(ShadowMilestones, WhatWasNotedSinceIsForgotten) {
  access(0, false);
  const Shadow::Image image = Shadow::keep();
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_FALSE(access(1, false).races);
    EXPECT_FALSE(write(2, kHere + 8));
    EXPECT_FALSE(write(2, kHere + 80000));  // a page that nobody had looked at
    EXPECT_TRUE(write(3, kHere + 8));
    Shadow::go_back(image);
    EXPECT_FALSE(Shadow::is_written(kHere + 8, 1));
    EXPECT_FALSE(Shadow::is_written(kHere + 80000, 1));
    EXPECT_FALSE(write(1, kHere, 0, {1})) << "who knows the first access races with nobody";
    EXPECT_FALSE(access(3, false, kHere + 8).races);
    EXPECT_FALSE(access(3, false, kHere + 80000).races);
    Shadow::go_back(image);
  }
}

// A later access of the same sort takes the record of an earlier one: not if that belongs to a milestone.
TEST_F(ShadowMilestones, ALaterAccessDoesNotChangeWhatIsKept) {
  write(0, kHere, 2);
  const Shadow::Image image = Shadow::keep();
  for (int turn = 0; turn < 2; ++turn) {
    write(0, kHere, 5);
    write(0, kHere, 6);
    EXPECT_TRUE(write(1, kHere, 0, {6})) << "the latest counts";
    Shadow::go_back(image);
    EXPECT_FALSE(write(1, kHere, 0, {3})) << "the one before the milestone";
    Shadow::go_back(image);
    EXPECT_TRUE(write(1, kHere, 0, {2}));
    Shadow::go_back(image);
  }
}

TEST_F(ShadowMilestones, ThereMayBeSeveral) {
  std::vector<Shadow::Image> images;
  for (base::ClockEntry i = 0; i < 4; ++i) {
    write(0, kHere, 10 * i);
    write(1, kHere + 8 * static_cast<std::uintptr_t>(i + 1));
    images.push_back(Shadow::keep());
  }
  for (std::size_t milestone = 4; milestone-- > 0;) {
    const auto latest = static_cast<base::ClockEntry>(10 * milestone);
    Shadow::go_back(images[milestone]);
    EXPECT_TRUE(Shadow::is_written(kHere, 8 * (milestone + 2)));
    EXPECT_FALSE(Shadow::is_written(kHere + 8 * (milestone + 2), 1));
    EXPECT_TRUE(write(2, kHere, 0, {latest}));
    Shadow::go_back(images[milestone]);
    EXPECT_FALSE(write(2, kHere, 0, {latest + 1}));
  }
}

TEST_F(ShadowMilestones, ANewOneTakesThePlaceOfOneThatIsLost) {
  const Shadow::Image first = Shadow::keep();
  write(0, kHere, 1);
  Shadow::keep();
  Shadow::go_back(first);
  write(0, kHere, 2);
  const Shadow::Image second = Shadow::keep();
  write(0, kHere, 7);
  Shadow::go_back(second);
  EXPECT_FALSE(write(1, kHere, 0, {3}));
  Shadow::go_back(second);
  EXPECT_TRUE(write(1, kHere, 0, {2}));
  Shadow::go_back(first);
  EXPECT_FALSE(write(1));
}

TEST_F(ShadowMilestones, RecordsThatBelongToNoneAreUsedAgain) {
  const Shadow::Image first = Shadow::keep();
  for (std::uintptr_t i = 0; i < 10; ++i) write(0, kHere + 8 * i);
  EXPECT_EQ(Shadow::keep().records, first.records + 10);
  Shadow::go_back(first);
  for (base::ClockEntry i = 0; i < 10; ++i) write(0, kHere, i);
  EXPECT_EQ(Shadow::keep().records, first.records + 1);
}

TEST_F(ShadowMilestones, TheNextExecutionKnowsNothing) {
  write(0);
  Shadow::keep();
  write(1, kHere + 8);
  Shadow::reset();
  EXPECT_FALSE(Shadow::is_written(kHere, 1));
  EXPECT_FALSE(write(2));
  EXPECT_FALSE(write(2, kHere + 8));
  const Shadow::Image image = Shadow::keep();
  EXPECT_EQ(image.changes, 0U);
  write(3, kHere + 16);
  Shadow::go_back(image);
  EXPECT_FALSE(Shadow::is_written(kHere + 16, 1));
  EXPECT_TRUE(Shadow::is_written(kHere, 16));
}

TEST_F(ShadowMilestones, AtomicAccessesOfAnotherSizeAreAsTheyWere) {
  access(0, true, kHere, 0, {}, 8, true);
  const Shadow::Image image = Shadow::keep();
  access(1, true, kHere + 8, 0, {}, 4, true);
  EXPECT_NE(Shadow::find_unordered_of_other_size(kHere + 8, 8, 2, Clocks{}.data()).size, 0U);
  Shadow::go_back(image);
  EXPECT_EQ(Shadow::find_unordered_of_other_size(kHere + 8, 8, 2, Clocks{}.data()).size, 0U);
  EXPECT_NE(Shadow::find_unordered_of_other_size(kHere, 4, 2, Clocks{}.data()).size, 0U);
}

// --- against running it from the start -------------------------------------------------------------------------------

constexpr int kShadowThreads = 4;
using ShadowClocks = std::array<base::ClockEntry, kShadowThreads>;

/// A step of an execution: an access, what its thread knows, and a look at some bytes.
struct ShadowStep {
  ShadowAccess access;
  ShadowClocks hb{};
  std::uintptr_t looks_at = 0;
  std::size_t looked_size = 1;
};
/// What a step tells. (With whom it races may differ: there are older records too.)
using ShadowAnswer = std::tuple<bool, bool, bool, bool, bool>;

ShadowAnswer perform(const ShadowStep& step) {
  Shadow::Result result;
  Shadow::note(step.access, step.hb.data(), result);
  return {result.races, result.met_atomic, result.met_atomic_write, Shadow::is_written(step.looks_at, step.looked_size),
          Shadow::find_unordered_of_other_size(step.looks_at, step.looked_size, step.access.thread, step.hb.data()).size != 0};
}

/// One execution so far, and what its threads know.
struct ShadowRun {
  std::vector<ShadowStep> steps;
  std::vector<ShadowAnswer> answers;
  std::array<ShadowClocks, kShadowThreads> hb{};
};

void go_on(ShadowRun& run, base::Rng& rng) {
  const auto place = [&](std::size_t size) { return 0x8000 - 16 + static_cast<std::uintptr_t>(rng.below(32)) / size * size; };
  ShadowStep step;
  ShadowAccess& access = step.access;
  access.thread = rng.below(kShadowThreads);
  access.is_atomic = rng.chance(40);
  access.is_write = rng.chance(50);
  access.size = std::size_t{1} << rng.below(4);
  access.address = place(access.size);
  ShadowClocks& hb = run.hb[static_cast<std::size_t>(access.thread)];
  if (rng.chance(40)) base::join(hb.data(), run.hb[static_cast<std::size_t>(rng.below(kShadowThreads))].data(), kShadowThreads);
  access.clock = hb[static_cast<std::size_t>(access.thread)];
  if (access.is_atomic || rng.chance(30)) ++hb[static_cast<std::size_t>(access.thread)];
  step.hb = hb;
  step.looked_size = std::size_t{1} << rng.below(4);
  step.looks_at = place(step.looked_size);
  run.steps.push_back(step);
  run.answers.push_back(perform(step));
}

TEST_F(ShadowMilestones, RandomExecutionsAreAsIfRunFromTheStart) {
  int compared = 0;
  for (int seed = 0; seed < tests::scaled(100); ++seed) {
    SCOPED_TRACE(seed);
    Shadow::reset();
    base::Rng rng(static_cast<std::uint64_t>(seed));
    ShadowRun run;
    std::vector<std::pair<Shadow::Image, ShadowRun>> kept;
    std::vector<ShadowRun> ended;
    for (int step = 0; step < 150; ++step) {
      if (rng.chance(8)) kept.emplace_back(Shadow::keep(), run);
      if (!kept.empty() && rng.chance(8)) {
        ended.push_back(run);
        kept.resize(1 + static_cast<std::size_t>(rng.below(static_cast<int>(kept.size()))));
        Shadow::go_back(kept.back().first);
        run = kept.back().second;
      }
      go_on(run, rng);
    }
    ended.push_back(run);
    for (const ShadowRun& execution : ended) {
      Shadow::reset();
      for (std::size_t i = 0; i < execution.steps.size(); ++i, ++compared) ASSERT_EQ(perform(execution.steps[i]), execution.answers[i]) << i;
    }
  }
  EXPECT_GT(compared, tests::scaled(100) * 150);
}

}  // namespace
}  // namespace ordeal::runtime::testing
