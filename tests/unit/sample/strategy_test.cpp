#include "sample/strategy.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace ordeal::sample {
namespace {

/// What a strategy chooses in an execution of three threads that does not depend on that.
std::vector<std::uint32_t> choices_of(Strategy& strategy, std::uint64_t seed, std::uint64_t execution) {
  strategy.begin(seed, execution);
  for (int t = 1; t < 3; ++t) strategy.created(t);
  std::vector<std::uint32_t> choices;
  const std::vector<int> ready{0, 1, 2};
  int current = 0;
  for (int i = 0; i < 100; ++i) {
    current = strategy.next_thread({ready, current, static_cast<StepKind>(i % 5)});
    choices.push_back(static_cast<std::uint32_t>(current));
    choices.push_back(strategy.which_store(current, 5));
    choices.push_back(strategy.which_place(current, 3));
    choices.push_back(strategy.answer(Question::kWhoWakes, 4));
    choices.push_back(strategy.answer(Question::kFailsSpuriously, 2));
  }
  return choices;
}

class StrategyTest : public ::testing::TestWithParam<const char*> {};

TEST_P(StrategyTest, SeedAndNumberOfTheExecutionDetermineAllChoices) {
  const auto first = make_strategy(GetParam()), second = make_strategy(GetParam());
  EXPECT_EQ(first->name().substr(0, 3), std::string_view(GetParam()).substr(0, 3));
  std::set<std::vector<std::uint32_t>> different;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (std::uint64_t execution = 0; execution < 16; ++execution) different.insert(choices_of(*first, seed, execution));
  EXPECT_EQ(different.size(), 64u);
  for (const std::uint64_t execution : {13, 5, 0, 7, 8}) EXPECT_EQ(choices_of(*second, 2, execution), choices_of(*first, 2, execution)) << "whatever ran before";
}

TEST_P(StrategyTest, AnswersAreAmongWhatThereIs) {
  const auto strategy = make_strategy(GetParam());
  for (std::uint64_t execution = 0; execution < 200; ++execution) {
    strategy->begin(1, execution);
    strategy->created(7);
    const std::vector<int> ready{7, 0};
    for (int i = 0; i < 20; ++i) {
      const int place = strategy->next_thread({ready, i % 3 - 1, StepKind::kLoad});
      ASSERT_TRUE(place == 0 || place == 1);
      for (const std::uint32_t count : {2u, 1000u}) {
        const std::uint32_t store = strategy->which_store(7, count), at = strategy->which_place(7, count);
        ASSERT_TRUE(store < count || store == Strategy::kNewest);
        ASSERT_TRUE(at < count || at == Strategy::kNewest);
        ASSERT_LT(strategy->answer(Question::kWhoWakes, count), count);
      }
      for (const Question question : {Question::kFailsSpuriously, Question::kTimesOut, Question::kWakesSpuriously}) ASSERT_LT(strategy->answer(question, 2), 2u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, StrategyTest, ::testing::Values("random", "pct", "pct:2", "pct:7", "portfolio"));

TEST(MakeStrategyTest, KnowsThemByName) {
  EXPECT_EQ(make_strategy("")->name(), "portfolio");
  EXPECT_EQ(make_strategy("pct")->name(), "pct:3");
  EXPECT_EQ(make_strategy("pct:1")->name(), "pct:1");
  EXPECT_EQ(make_strategy("pct:100")->name(), "pct:100");
  for (const char* name : {"pct:0", "pct:101", "pct:", "pct:3x", "pct:-1", "Random", "nothing"}) EXPECT_EQ(make_strategy(name), nullptr) << name;
}

TEST(RandomWalkTest, StoresInARowAreMadeWithoutABreak) {
  const auto walk = make_strategy("random");
  const std::vector<int> ready{0, 1, 2};
  for (std::uint64_t execution = 0; execution < 100; ++execution) {
    walk->begin(1, execution);
    int place = 1;
    while (walk->next_thread({ready, place, StepKind::kStore}) != place) {}  // it makes the first one …
    for (int i = 0; i < 20; ++i) ASSERT_EQ(walk->next_thread({ready, place, StepKind::kStore}), place);  // … and all others
  }
}

TEST(RandomWalkTest, AnythingElseMayBeABreak) {
  const auto walk = make_strategy("random");
  const std::vector<int> ready{0, 1, 2};
  for (const StepKind kind : {StepKind::kLoad, StepKind::kRmw, StepKind::kFence, StepKind::kSync, StepKind::kYield}) {
    std::set<int> seen;
    for (std::uint64_t execution = 0; execution < 100; ++execution) {
      walk->begin(1, execution);
      while (walk->next_thread({ready, 1, StepKind::kStore}) != 1) {}
      seen.insert(walk->next_thread({ready, 1, kind}));
    }
    EXPECT_EQ(seen, (std::set{0, 1, 2}));
  }
}

TEST(RandomWalkTest, WhoIsAboutToCreateAThreadGoesOn) {
  for (const char* name : {"random", "pct:5", "portfolio"}) {
    const auto strategy = make_strategy(name);
    std::vector<int> ready{0, 1};
    for (int t = 2; t < 20; ++t) ready.push_back(t);
    std::set<int> with_many;
    for (std::uint64_t execution = 0; execution < 100; ++execution) {
      strategy->begin(1, execution);
      for (int t = 1; t < 20; ++t) strategy->created(t);
      for (const std::size_t few : {2u, 3u, 15u}) ASSERT_EQ(strategy->next_thread({std::span(ready).first(few), 1, StepKind::kCreate}), 1) << name;
      with_many.insert(strategy->next_thread({ready, 1, StepKind::kCreate}));
    }
    EXPECT_GT(with_many.size(), 5u) << name << ": not for ever";
  }
}

/// Two threads make a step of this kind and a fence by turns: how often, of 1,000 times, a thread is interrupted behind the first.
int interruptions(Strategy& strategy, StepKind kind) {
  const std::vector<int> ready{0, 1};
  bool at_fence[2] = {};
  int count = 0;
  for (int i = 0, current = 0; i < 1000;) {
    const int next = strategy.next_thread({ready, current, at_fence[current] ? StepKind::kFence : kind});
    if (at_fence[current]) {
      ++i;
      count += next != current ? 1 : 0;
    }
    current = next;
    at_fence[current] = !at_fence[current];
  }
  return count;
}

/// Whoever goes first of four that are equal: in seven of eight executions anybody, in one the latter of two draws.
TEST(RandomWalkTest, ThreadsThatWereCreatedLastAreSometimesAhead) {
  const auto walk = make_strategy("random");
  const std::vector<int> ready{2, 4, 1, 3};  // in no particular order
  constexpr int kExecutions = 40'000;
  int first[5] = {};
  for (int execution = 0; execution < kExecutions; ++execution) {
    walk->begin(1, static_cast<std::uint64_t>(execution));
    ++first[ready[static_cast<std::size_t>(walk->next_thread({ready, -1, StepKind::kSync}))]];
  }
  for (int thread = 1; thread <= 4; ++thread) EXPECT_NEAR(first[thread], kExecutions * (7.0 / 32 + (2 * thread - 1) / 128.0), 400) << thread;
}

TEST(RandomWalkTest, LongRunsEndBehindRmws) {
  const auto walk = make_strategy("random");
  int long_runs = 0, take_turns = 0;
  for (std::uint64_t execution = 0; execution < 200; ++execution) {
    walk->begin(1, execution);
    const int behind_loads = interruptions(*walk, StepKind::kLoad);
    take_turns += behind_loads > 900 && behind_loads < 1000 ? 1 : 0;
    if (behind_loads > 300) continue;
    ++long_runs;
    EXPECT_GT(interruptions(*walk, StepKind::kRmw), 600) << "half of the times another one, else any of two";
    EXPECT_GT(interruptions(*walk, StepKind::kSync), 600);
  }
  EXPECT_GT(long_runs, 10);
  EXPECT_GT(take_turns, 50) << "and not for ever";
}

/// How often the running thread changes, though it could go on; and how often a load does not read the newest.
std::pair<int, int> deviations(Strategy& strategy, std::uint64_t execution) {
  strategy.begin(3, execution);
  for (int t = 1; t < 4; ++t) strategy.created(t);
  const std::vector<int> ready{0, 1, 2, 3};
  int current = strategy.next_thread({ready, -1, StepKind::kSync}), changes = 0, stale = 0;
  for (int i = 0; i < 100'000; ++i) {
    const int next = strategy.next_thread({ready, current, i % 2 == 0 ? StepKind::kLoad : StepKind::kStore});
    changes += next != current ? 1 : 0;
    current = next;
    if (const std::uint32_t store = strategy.which_store(next, 3); store != Strategy::kNewest) {
      ++stale;
      EXPECT_LT(store, 2u) << "not the newest";
    }
  }
  return {changes, stale};
}

TEST(PctTest, DeviatesAsOftenAsItsDepthSays) {
  for (const int depth : {1, 2, 3, 6}) {
    const auto pct = make_strategy("pct:" + std::to_string(depth));
    int most_changes = 0, most_stale = 0;
    for (std::uint64_t execution = 0; execution < 30; ++execution) {
      const auto [changes, stale] = deviations(*pct, execution);
      EXPECT_LE(changes, depth - 1);
      EXPECT_EQ(stale, depth - 1);
      most_changes = std::max(most_changes, changes);
      most_stale = std::max(most_stale, stale);
    }
    EXPECT_EQ(most_changes, depth - 1);
  }
}

/// A tenth of the steps are RMWs. A quarter of the changes waits for one, and a quarter for what comes behind one.
TEST(PctTest, ManyChangesComeBeforeOrBehindAnRmw) {
  const auto pct = make_strategy("pct:2");
  const std::vector<int> ready{0, 1};
  double changes = 0, before_rmw = 0, behind_rmw = 0;
  for (std::uint64_t execution = 0; execution < 4000; ++execution) {
    pct->begin(1, execution);
    pct->created(1);
    const int first = pct->next_thread({ready, -1, StepKind::kSync});
    for (int i = 0; i < 100; ++i) {
      if (pct->next_thread({ready, first, i % 10 == 5 ? StepKind::kRmw : StepKind::kFence}) == first) continue;
      ++changes;
      before_rmw += i % 10 == 5 ? 1 : 0;
      behind_rmw += i % 10 == 6 ? 1 : 0;
      break;
    }
  }
  EXPECT_NEAR(before_rmw / changes, 0.25 + 0.05, 0.05);
  EXPECT_NEAR(behind_rmw / changes, 0.25 + 0.05, 0.05);
}

TEST(PctTest, ThreadThatWaitsFallsBehind) {
  const auto pct = make_strategy("pct:1");
  const std::vector<int> ready{0, 1};
  for (std::uint64_t execution = 0; execution < 20; ++execution) {
    pct->begin(1, execution);
    pct->created(1);
    const int first = pct->next_thread({ready, -1, StepKind::kSync});
    EXPECT_EQ(pct->next_thread({ready, first, StepKind::kLoad}), first);
    EXPECT_EQ(pct->next_thread({ready, first, StepKind::kYield}), 1 - first);
    EXPECT_EQ(pct->next_thread({ready, 1 - first, StepKind::kStore}), 1 - first);
    int current = 1 - first;
    for (int i = 0; i < 1000 && current == 1 - first; ++i) current = pct->next_thread({ready, current, StepKind::kLoad});
    EXPECT_EQ(current, first) << "loads without end";
  }
}

TEST(PctTest, AnyThreadMayBeTheFirst) {
  const auto pct = make_strategy("pct");
  std::set<int> seen;
  for (std::uint64_t execution = 0; execution < 100; ++execution) {
    pct->begin(1, execution);
    for (int t = 1; t < 4; ++t) pct->created(t);
    seen.insert(pct->next_thread({std::vector<int>{0, 1, 2, 3}, 0, StepKind::kSync}));
  }
  EXPECT_EQ(seen.size(), 4u);
}

}  // namespace
}  // namespace ordeal::sample
