#include "model/race.h"

#include <gtest/gtest.h>

#include "builder.h"
#include "dump.h"
#include "tests/support/naive.h"
#include "tests/support/random_graph.h"

namespace ordeal::model::testing {
namespace {

/// The race as a pair, the lower slot first.
std::optional<std::pair<Slot, Slot>> race_in(const Builder& graph) {
  const std::optional<Race> race = find_race(graph.graph);
  if (!race) return std::nullopt;
  return std::minmax(race->first, race->second, [](Slot a, Slot b) { return number(a) < number(b); });
}

using Pair = std::pair<Slot, Slot>;

TEST(Races, AreConflictingUnorderedAccessesOfWhichOneIsPlain) {
  for (const MemoryOrder first : {kPlain, kRelaxed})
    for (const MemoryOrder second : {kPlain, kRelaxed})
      for (const bool second_writes : {false, true}) {
        Builder graph;
        const Slot a = graph.store(0, x, first);
        const Slot b = second_writes ? graph.store(1, x, second) : graph.load(1, x, initial(x), second);
        const bool expected = first == kPlain || second == kPlain;
        ASSERT_EQ(race_in(graph).has_value(), expected);
        EXPECT_EQ(race_in(graph).value_or(Pair(a, b)), Pair(a, b));
      }
}

TEST(Races, TwoReadsDoNotRace) {
  Builder graph;
  graph.load(0, x, initial(x), kPlain);
  graph.load(1, x, initial(x), kPlain);
  EXPECT_FALSE(race_in(graph));
}

TEST(Races, DifferentLocationsDoNotRace) {
  Builder graph;
  graph.store(0, x, kPlain);
  graph.store(1, y, kPlain);
  EXPECT_FALSE(race_in(graph));
}

TEST(Races, AccessesOfOneThreadDoNotRace) {
  Builder graph;
  graph.store(0, x, kPlain);
  graph.store(0, x, kPlain);
  EXPECT_FALSE(race_in(graph));
}

TEST(Races, NothingRacesWithAnInitialWrite) {
  Builder graph;
  graph.load(1, x, initial(x), kPlain);
  EXPECT_FALSE(race_in(graph));
}

TEST(Races, SynchronisationOrdersTheAccesses) {
  for (const MemoryOrder order : {kRelaxed, kAcquire}) {
    Builder graph;
    const Slot data = graph.store(0, x, kPlain), flag = graph.store(0, y, kRelease);
    graph.load(1, y, flag, order);
    graph.load(1, x, data, kPlain);
    EXPECT_EQ(race_in(graph).has_value(), order == kRelaxed);
  }
}

TEST(Races, AnAccessAfterTheReleaseIsNotCovered) {
  Builder graph;
  const Slot flag = graph.store(0, y, kRelease);
  const Slot late = graph.store(0, x, kPlain);
  graph.load(1, y, flag, kAcquire);
  const Slot read = graph.load(1, x, initial(x), kPlain);
  ASSERT_TRUE(race_in(graph));
  EXPECT_EQ(*race_in(graph), Pair(late, read));
}

TEST(Races, AReadModifyWriteRacesWithAPlainAccess) {
  Builder graph;
  graph.rmw(0, x, initial(x), kSeqCst);
  graph.load(1, x, initial(x), kPlain);
  EXPECT_TRUE(race_in(graph));
}

TEST(Races, JoinOrdersAllOfAThread) {
  Builder graph;
  graph.create(0, 1);
  const Slot data = graph.store(1, x, kPlain);
  graph.join(0, 1);
  graph.load(0, x, data, kPlain);
  EXPECT_FALSE(race_in(graph));
}

TEST(Races, AreJudgedByTheOrdersAsWrittenInEveryModel) {
  for (const Model model : {Model::kCpp20, Model::kRc11, Model::kSc, Model::kTso}) {
    Builder graph(model);
    const Slot data = graph.store(0, x, kPlain), flag = graph.store(0, y, kRelaxed);
    graph.load(1, y, flag, kRelaxed);
    graph.load(1, x, data, kPlain);
    EXPECT_TRUE(race_in(graph)) << name_of(model);
  }
}

TEST(Races, AreFoundIffThereIsOneOnRandomGraphs) {
  int racy = 0, clean = 0;
  for (int seed = 0; seed < scaled(3000); ++seed) {
    RandomGraph random({.threads = 3, .locations = 3, .events = 4 + seed % 12, .writes = 6, .plain = 5 + seed % 40, .fences = 15},
                       static_cast<std::uint64_t>(seed));
    random.grow();
    const Naive naive(random.graph);
    const std::optional<Race> race = find_race(random.graph);
    ASSERT_EQ(race.has_value(), naive.racy()) << "seed " << seed << dump(random.graph);
    ASSERT_TRUE(!race || naive.racy(naive.id(race->first), naive.id(race->second)))
        << "seed " << seed << dump(random.graph);
    (race ? racy : clean) += 1;
  }
  expect_to_occur(racy, 3000, scaled(3000) / 20);
  expect_to_occur(clean, 3000, scaled(3000) / 20);
}

}  // namespace
}  // namespace ordeal::model::testing
