// Strongly happens before, [intro.races]p12: shb = (po ∪ [SC];sw;[SC] ∪ po';hb;po')⁺, as rows of the graph.
#include <gtest/gtest.h>

#include "builder.h"
#include "dump.h"
#include "tests/support/naive.h"
#include "tests/support/random_graph.h"

namespace ordeal::model::testing {
namespace {

/// Whether `a` strongly happens before `b`, by the rows of the graph.
bool shb(Builder& graph, Slot a, Slot b) {
  EXPECT_TRUE(graph.consistency.recheck(graph.graph));
  EXPECT_EQ(graph.graph.shb_valid, graph.graph.size());
  const Event& first = graph.graph.event(a);
  return first.index < graph.graph.row(b, Row::kShb)[number(first.thread)];
}

TEST(StronglyHappensBefore, NeedsProgramOrderOnBothSidesOfAWeakSynchronisation) {
  Builder graph;
  const Slot a = graph.store(0, x, kSeqCst);
  const Slot flag = graph.store(0, y, kRelease);
  const Slot seen = graph.load(1, y, flag, kAcquire);
  const Slot after = graph.load(1, z, initial(z), kSeqCst);
  EXPECT_TRUE(shb(graph, a, after));
  EXPECT_FALSE(shb(graph, a, seen));
  EXPECT_FALSE(shb(graph, flag, after));
  EXPECT_TRUE(graph.hb(flag, after));
}

TEST(StronglyHappensBefore, ContainsSynchronisationOfSeqCstEvents) {
  Builder graph;
  const Slot a = graph.store(0, x, kSeqCst), seen = graph.load(1, x, a, kSeqCst);
  EXPECT_TRUE(shb(graph, a, seen));
}

TEST(StronglyHappensBefore, TheInsideOfAReadModifyWriteIsNoProgramOrder) {  // the point of Z6.U
  Builder graph;
  const Slot a = graph.store(0, x, kSeqCst);
  const Slot flag = graph.store(0, y, kRelease);
  const Slot rmw = graph.rmw(1, y, flag, kSeqCst);
  EXPECT_TRUE(graph.hb(a, rmw));
  EXPECT_FALSE(shb(graph, a, rmw));
  const Slot after = graph.load(1, z, initial(z));
  EXPECT_TRUE(shb(graph, a, after));
}

TEST(StronglyHappensBefore, AReadModifyWriteThatReleasesDoesNotPublishItsOwnRead) {
  Builder graph;
  graph.store(2, z, kSeqCst);
  const Slot before = graph.store(0, x, kSeqCst);
  const Slot rmw = graph.rmw(0, y, initial(y), kSeqCst);
  const Slot read{number(rmw) - 1};
  graph.load(1, y, rmw, kAcquire);
  const Slot after = graph.load(1, z, initial(z));
  EXPECT_TRUE(shb(graph, before, after));
  EXPECT_TRUE(graph.hb(read, after));
  EXPECT_FALSE(shb(graph, read, after));
}

/// Rows need not be transitive over seq_cst synchronisation: psc is closed over its nodes anyway. So are they here.
Relation closed_rows(const ExecutionGraph& graph) {
  Relation rows(graph.size());
  for (const Slot a : graph.seq_cst_events())
    for (const Slot b : graph.seq_cst_events())
      if (a != b && graph.event(a).index < graph.row(b, Row::kShb)[number(graph.event(a).thread)]) rows.add(number(a), number(b));
  return oracle::closure(rows);
}

void expect_rows_of_strongly_happens_before(const Shape& shape, int rounds) {
  for (int seed = 0; seed < scaled(rounds); ++seed) {
    RandomGraph random(shape, static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 60; ++i) {  // also after steps back, when the rows that were filled belong to other events
      if (random.graph.size() > 0 && (random.graph.size() >= shape.events || random.rng.chance(20))) random.pop();
      else random.step();
    }
    ASSERT_TRUE(random.consistency.recheck(random.graph));
    if (random.graph.seq_cst_events().size() < 2) continue;
    ASSERT_EQ(random.graph.shb_valid, random.graph.size());
    const Naive naive(random.graph);
    const Relation rows = closed_rows(random.graph);
    for (const Slot a : random.graph.seq_cst_events())
      for (const Slot b : random.graph.seq_cst_events())
        ASSERT_EQ(rows(number(a), number(b)), naive.shb()(naive.id(a), naive.id(b)))
            << "seed " << seed << ", slots " << number(a) << " and " << number(b) << dump(random.graph);
  }
}

TEST(StronglyHappensBefore, EqualsItsDefinitionOnRandomGraphs) {
  expect_rows_of_strongly_happens_before(
      {.threads = 4, .locations = 2, .events = 20, .writes = 8, .seq_cst = 40, .fences = 20, .rmws = 35}, 1500);
}

TEST(StronglyHappensBefore, EqualsItsDefinitionWithThreadsThatAreCreatedAndJoined) {
  expect_rows_of_strongly_happens_before(
      {.threads = 5, .locations = 2, .events = 20, .writes = 8, .seq_cst = 50, .fences = 15, .children = 25}, 800);
}

}  // namespace
}  // namespace ordeal::model::testing
