#include "model/modification_order.h"

#include <gtest/gtest.h>

#include "builder.h"
#include "dump.h"
#include "tests/support/naive.h"
#include "tests/support/random_graph.h"

namespace ordeal::model::testing {
namespace {

TEST(ModificationOrder, TheInitialWriteIsBeforeEveryOther) {
  Builder graph;
  const Slot a = graph.store(0, x);
  EXPECT_TRUE(graph.forced(initial(x), a));
  EXPECT_FALSE(graph.forced(a, initial(x)));
}

TEST(ModificationOrder, IsOpenBetweenBlindStores) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.store(1, x), c = graph.store(2, x);
  EXPECT_TRUE(graph.open(a, b));
  EXPECT_TRUE(graph.open(b, c));
  EXPECT_TRUE(graph.open(a, c));
}

TEST(ModificationOrder, NoWriteIsForcedBeforeItself) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.rmw(1, x, a);
  EXPECT_FALSE(graph.forced(a, a));
  EXPECT_FALSE(graph.forced(b, b));
  EXPECT_FALSE(graph.forced(initial(x), initial(x)));
}

// The four rules that happens-before gives, one a line of the memory model.
TEST(ModificationOrder, AWriteThatHappensBeforeAnotherIsBeforeIt) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.store(0, x);
  EXPECT_TRUE(graph.forced(a, b));
  EXPECT_FALSE(graph.forced(b, a));
}

TEST(ModificationOrder, AWriteThatHappensBeforeAReadIsBeforeWhatItReads) {
  Builder graph;
  const Slot b = graph.store(1, x), a = graph.store(0, x);
  EXPECT_TRUE(graph.open(a, b));
  graph.load(0, x, b);
  EXPECT_TRUE(graph.forced(a, b));
}

TEST(ModificationOrder, WhatAReadReadsIsBeforeAWriteThatTheReadHappensBefore) {
  Builder graph;
  const Slot a = graph.store(1, x);
  graph.load(0, x, a);
  const Slot b = graph.store(0, x);
  EXPECT_TRUE(graph.forced(a, b));
}

TEST(ModificationOrder, WhatAReadReadsIsBeforeWhatALaterReadReads) {
  Builder graph;
  const Slot a = graph.store(1, x), b = graph.store(2, x);
  graph.load(0, x, a);
  graph.load(0, x, b);
  EXPECT_TRUE(graph.forced(a, b));
}

TEST(ModificationOrder, IsTransitive) {
  Builder graph;
  const Slot a = graph.store(1, x), b = graph.store(2, x), c = graph.store(3, x);
  graph.load(0, x, b);
  graph.load(0, x, c);
  EXPECT_TRUE(graph.open(a, c));
  graph.load(1, x, b);  // a before b, and b is before c already
  EXPECT_TRUE(graph.forced(a, b));
  EXPECT_TRUE(graph.forced(a, c));
}

TEST(ModificationOrder, OtherLocationsDoNotMatter) {
  Builder graph;
  graph.store(0, x);
  const Slot a = graph.store(0, y), b = graph.store(1, y);
  graph.load(1, x, initial(x));
  EXPECT_TRUE(graph.open(a, b));
}

// Read-modify-writes.
TEST(ModificationOrder, AReadModifyWriteIsDirectlyBehindWhatItReads) {
  Builder graph;
  const Slot a = graph.store(0, x), other = graph.store(1, x), u = graph.rmw(2, x, a);
  EXPECT_TRUE(graph.forced(a, u));
  EXPECT_TRUE(graph.open(other, a));
  EXPECT_TRUE(graph.open(other, u));
  // What comes behind a now comes behind u …
  graph.load(3, x, a);
  graph.load(3, x, other);
  EXPECT_TRUE(graph.forced(a, other));
  EXPECT_TRUE(graph.forced(u, other));
}

TEST(ModificationOrder, WhatComesBeforeAReadModifyWriteComesBeforeWhatItReads) {
  Builder graph;
  const Slot a = graph.store(0, x), other = graph.store(1, x), u = graph.rmw(2, x, a);
  graph.load(1, x, u);
  EXPECT_TRUE(graph.forced(other, u));
  EXPECT_TRUE(graph.forced(other, a));
}

TEST(ModificationOrder, AReadModifyWriteThatComesLateIsBeforeWhatWasBehindItsSource) {
  Builder graph;
  const Slot a = graph.store(0, x), behind = graph.store(0, x), u = graph.rmw(1, x, a), w = graph.rmw(2, x, u);
  EXPECT_TRUE(graph.forced(u, behind));
  EXPECT_TRUE(graph.forced(w, behind));
  EXPECT_FALSE(graph.forced(behind, u));
}

TEST(ModificationOrder, ReadModifyWritesOfTheInitialValueAreBeforeEveryStore) {
  Builder graph;
  const Slot before = graph.store(1, x), u = graph.rmw(0, x, initial(x)), after = graph.store(2, x);
  EXPECT_TRUE(graph.forced(u, before));
  EXPECT_TRUE(graph.forced(u, after));
  EXPECT_TRUE(graph.forced(initial(x), u));
  EXPECT_FALSE(graph.forced(before, u));
}

TEST(ModificationOrder, ForceBeforeRefusesACycleAndChangesNothing) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.store(1, x), c = graph.store(2, x);
  EXPECT_TRUE(force_before(graph.graph, a, b));
  EXPECT_TRUE(force_before(graph.graph, b, c));
  const std::string before = dump(graph.graph);
  EXPECT_FALSE(force_before(graph.graph, c, a));
  EXPECT_FALSE(force_before(graph.graph, a, initial(x)));
  EXPECT_TRUE(force_before(graph.graph, a, c));
  EXPECT_TRUE(force_before(graph.graph, a, a));
  EXPECT_EQ(dump(graph.graph), before);
}

TEST(ModificationOrder, UndoTakesForcedOrdersBack) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.store(1, x), c = graph.store(2, x);
  force_before(graph.graph, a, b);
  const std::string before = dump(graph.graph);
  const std::uint32_t mark = graph.graph.mark();
  force_before(graph.graph, b, c);
  EXPECT_TRUE(graph.forced(a, c));
  graph.graph.undo(mark);
  EXPECT_EQ(dump(graph.graph), before);
  EXPECT_TRUE(graph.open(a, c));
  EXPECT_TRUE(graph.forced(a, b));
}

TEST(ModificationOrder, ChainsAreVisitedOnceByTheirHeads) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.store(1, x);
  graph.rmw(2, x, a);
  graph.rmw(3, x, initial(x));
  graph.store(0, y);
  std::vector<Slot> heads;
  for_each_chain(graph.graph, LocationId{x}, [&](Slot head) { heads.push_back(head); });
  EXPECT_EQ(heads, (std::vector<Slot>{b, a}));
}

// --- against the definition ----------------------------------------------------------------------------------------------

/// Compares forced_before with the naive closure for every pair of writes of every location.
void expect_constraints(const ExecutionGraph& graph, std::uint64_t seed) {
  const Naive naive(graph);
  const Relation constraints = naive.mo_constraints();
  for (int l = 0; l < graph.locations(); ++l)
    for (const int a : naive.writes_at(l))
      for (const int b : naive.writes_at(l)) {
        if (a == b) continue;
        ASSERT_EQ(forced_before(graph, naive.slot(a), naive.slot(b)), constraints(a, b))
            << "seed " << seed << ", slots " << number(naive.slot(a)) << " and " << number(naive.slot(b)) << dump(graph);
      }
}

/// A write that is behind all that came before it says so, at least if it was so from the first.
void expect_behind_all(const ExecutionGraph& graph, std::uint64_t seed) {
  for (int i = 0; i < graph.size(); ++i) {
    const Event& write = graph.event(Slot{i});
    if (write.kind != EventKind::kWrite) continue;
    bool is_behind_all = true;
    for (Slot at = write.previous_at_location; at != kNone; at = graph.event(at).previous_at_location)
      is_behind_all = is_behind_all && forced_before(graph, at, Slot{i});
    ASSERT_TRUE(is_behind_all || !write.is_behind_all) << "seed " << seed << ", slot " << i << dump(graph);
    ASSERT_TRUE(write.is_behind_all || !is_behind_all || Slot{i} != graph.last()) << "seed " << seed << dump(graph);
  }
}

void expect_constraints_of_random_graphs(const Shape& shape, int rounds) {
  for (int seed = 0; seed < scaled(rounds); ++seed) {
    RandomGraph random(shape, static_cast<std::uint64_t>(seed));
    random.grow();
    expect_constraints(random.graph, static_cast<std::uint64_t>(seed));
    expect_behind_all(random.graph, static_cast<std::uint64_t>(seed));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(ModificationOrder, IsTheClosureOfItsRulesOnRandomGraphs) {
  expect_constraints_of_random_graphs({.threads = 4, .locations = 2, .events = 22, .writes = 9}, 4000);
}

TEST(ModificationOrder, IsTheClosureOfItsRulesOnOneLocationWithManyReadModifyWrites) {
  expect_constraints_of_random_graphs({.threads = 4, .locations = 1, .events = 24, .writes = 12, .fences = 5, .rmws = 60}, 4000);
}

TEST(ModificationOrder, IsTheClosureOfItsRulesWithThreadsThatAreCreatedAndJoined) {
  expect_constraints_of_random_graphs({.threads = 6, .locations = 2, .events = 22, .writes = 9, .children = 20}, 2000);
}

TEST(ModificationOrder, IsTheClosureOfItsRulesAfterEveryStepAndEveryStepBack) {
  for (int seed = 0; seed < scaled(300); ++seed) {
    RandomGraph random({.threads = 3, .locations = 2, .events = 16, .writes = 7, .rmws = 40}, static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 60; ++i) {
      if (random.graph.size() > 0 && (random.graph.size() == 16 || random.rng.chance(35))) random.pop();
      else random.step();
      expect_constraints(random.graph, static_cast<std::uint64_t>(seed));
      expect_behind_all(random.graph, static_cast<std::uint64_t>(seed));
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

/// seq_cst may force more than coherence does: never less, and nothing that some consistent order lacks.
TEST(ModificationOrder, WhatSeqCstForcesHoldsInEveryConsistentOrder) {
  int forced_by_seq_cst = 0;
  for (const Model model : {Model::kCpp20, Model::kRc11})
    for (int seed = 0; seed < scaled(1500); ++seed) {
      RandomGraph random({.model = model, .threads = 4, .locations = 2, .events = 13, .writes = 4, .seq_cst = 60, .fences = 20},
                         static_cast<std::uint64_t>(seed));
      random.grow();
      const Naive naive(random.graph);
      const Relation constraints = naive.mo_constraints();
      Relation always = oracle::product(constraints.size, ~Set{0}, ~Set{0});
      naive.for_each_mo(model, [&](const Relation& mo) {
        always = always & mo;
        return true;
      });
      for (int l = 0; l < random.graph.locations(); ++l)
        for (const int a : naive.writes_at(l))
          for (const int b : naive.writes_at(l)) {
            if (a == b) continue;
            const bool forced = forced_before(random.graph, naive.slot(a), naive.slot(b));
            ASSERT_TRUE(forced || !constraints(a, b)) << "seed " << seed << dump(random.graph);
            ASSERT_TRUE(always(a, b) || !forced) << "seed " << seed << dump(random.graph);
            forced_by_seq_cst += forced && !constraints(a, b) ? 1 : 0;
          }
    }
  expect_to_occur(forced_by_seq_cst, 1500);
}

}  // namespace
}  // namespace ordeal::model::testing
