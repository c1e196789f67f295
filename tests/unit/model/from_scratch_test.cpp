#include "model/from_scratch.h"

#include <gtest/gtest.h>

#include "builder.h"
#include "dump.h"
#include "tests/support/naive.h"
#include "tests/support/random_graph.h"

namespace ordeal::model::testing {
namespace {

const Shape kShapes[] = {
    {.threads = 4, .locations = 2, .events = 18, .writes = 7},
    {.threads = 3, .locations = 1, .events = 18, .writes = 9, .rmws = 60, .revisited = true},
    {.threads = 5, .locations = 2, .events = 18, .writes = 7, .fences = 30, .children = 20},
};

/// Rows of happens-before and constraints that mean nothing.
void forget(ExecutionGraph& graph) {
  for (int i = -graph.locations(); i < graph.size(); ++i)
    for (int row = 0; row < kRows; ++row) base::clear(graph.row(Slot{i}, Row{row}), graph.width());
  for (int i = 0; i < graph.size(); ++i) {
    Event& event = graph.event(Slot{i});
    event.chain_head = event.chain_tail = kNone;
    event.chain_position = 0;
  }
}

TEST(FromScratch, GivesWhatWasKeptUpToDateOnRandomGraphs) {
  for (const Shape& shape : kShapes)
    for (int seed = 0; seed < scaled(300); ++seed) {
      RandomGraph random(shape, static_cast<std::uint64_t>(seed));
      random.grow();
      ExecutionGraph again;
      again.copy_prefix(random.graph, random.graph.size());
      for (int i = 0; i < again.size(); ++i)  // as in the copy that is filled anew: tails are valid at heads only
        if (random.graph.event(Slot{i}).kind == EventKind::kRead) again.event(Slot{i}).chain_tail = kNone;
      forget(again);
      ASSERT_TRUE(recompute_clocks(again));
      ASSERT_TRUE(recompute_modification_order(again));
      ASSERT_EQ(dump(again), dump(random.graph)) << "seed " << seed;
      ASSERT_TRUE(is_porf_acyclic(again));
    }
}

TEST(FromScratch, FindsBrokenCoherenceAndAtomicity) {
  int broken = 0, fine = 0;
  for (int seed = 0; seed < scaled(1500); ++seed) {
    RandomGraph random({.threads = 3, .locations = 2, .events = 12, .writes = 4, .rmws = 40}, static_cast<std::uint64_t>(seed));
    random.grow();
    // One more read, of anything, with its write if it is an RMW.
    Access access;
    access.kind = EventKind::kRead;
    access.thread = ThreadId{seed % 3};
    access.location = LocationId{seed % 2};
    access.function = seed % 4 < 2 ? RmwFunction::kAdd : RmwFunction::kNone;
    const Slot last = random.graph.last_of(access.thread);
    if (last != kNone && random.graph.event(last).kind == EventKind::kRead && random.graph.event(last).is_rmw) continue;
    std::vector<Slot> writes{initial_write(access.location)};
    for (Slot at = random.graph.last_write(access.location); at != kNone; at = random.graph.event(at).previous_at_location)
      writes.push_back(at);
    const Slot source = writes[static_cast<std::size_t>(random.rng.below(static_cast<int>(writes.size())))];
    random.graph.push(Consistency::make_read(random.graph, access, source, false));
    if (random.graph.event(random.graph.last()).is_rmw)
      random.graph.push(Consistency::make_rmw_write(random.graph.event(random.graph.last())));
    const bool expected = Naive(random.graph).coherent_for_some_mo();
    ASSERT_EQ(recompute_modification_order(random.graph), expected) << "seed " << seed << dump(random.graph);
    (expected ? fine : broken) += 1;
  }
  expect_to_occur(broken, 1500, scaled(1500) / 20);
  expect_to_occur(fine, 1500, scaled(1500) / 20);
}

/// Load buffering: both loads read what the other thread stores later.
TEST(FromScratch, FindsCyclesOfPorf) {
  Builder builder;
  const Slot first = builder.load(0, x, initial(x));
  const Slot a = builder.store(0, y);
  const Slot second = builder.load(1, y, initial(y));
  const Slot b = builder.store(1, x);
  ExecutionGraph& graph = builder.graph;
  EXPECT_TRUE(is_porf_acyclic(graph));
  graph.event(first).rf = b;
  EXPECT_TRUE(is_porf_acyclic(graph));
  graph.event(second).rf = a;
  EXPECT_FALSE(is_porf_acyclic(graph));
  EXPECT_TRUE(recompute_clocks(graph));  // relaxed: nothing synchronises
  EXPECT_TRUE(recompute_modification_order(graph));
}

TEST(FromScratch, FindsAnEventThatHappensBeforeALowerSlot) {
  Builder builder;
  const Slot read = builder.load(0, x, initial(x), kAcquire);
  const Slot write = builder.store(1, x, kRelease);
  EXPECT_TRUE(recompute_clocks(builder.graph));
  builder.graph.event(read).rf = write;
  EXPECT_FALSE(recompute_clocks(builder.graph));
}

}  // namespace
}  // namespace ordeal::model::testing
