#include "analysis/cost.h"

#include <gtest/gtest.h>

#include "analysis/graph_of_trace.h"
#include "analysis_support.h"
#include "trace/format.h"

namespace ordeal::analysis::testing {
namespace {

Cost cost_of_events(const std::string& events) {
  const GraphOfTrace graph(trace::read("ordeal-trace 2\nprogram \"p\"\nmodel \"cpp20\"\nending complete\nthread \"P0\"\nthread \"P1\"\nlocation \"x\" 0\nlocation \"y\" 0\n" + events + "end\n"));
  EXPECT_TRUE(graph.is_consistent());
  return cost_of(graph.graph());
}

TEST(Cost, OneThreadBehindTheOtherTakesOneSwitch) {
  const Cost cost = cost_of_events(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 1.0 read relaxed inserted=1 location=0 value=1 rf=0.0\n"
      "event 0.1 write relaxed inserted=2 location=1 value=1\n"
      "event 1.1 read relaxed inserted=3 location=1 value=1 rf=0.1\n");
  EXPECT_EQ(cost, (Cost{0, 1, 4}));
}

TEST(Cost, AReadOfTheInitialValueGoesBeforeTheStoreAlthoughItComesLater) {
  const Cost cost = cost_of_events(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 1.0 read relaxed inserted=1 location=0 rf=initial.0\n");
  EXPECT_EQ(cost, (Cost{0, 1, 2}));
}

TEST(Cost, StoreBufferingHasOneWeakRead) {
  const Cost cost = cost_of_events(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 0.1 read relaxed inserted=1 location=1 rf=initial.1\n"
      "event 1.0 write relaxed inserted=2 location=1 value=1\n"
      "event 1.1 read relaxed inserted=3 location=0 rf=initial.0\n");
  EXPECT_EQ(cost.weak_reads, 1);
}

TEST(Cost, ReadModifyWritesAreOneStep) {
  const Cost cost = cost_of_events(
      "event 0.0 read relaxed inserted=0 location=0 rf=initial.0 rmw\n"
      "event 0.1 write relaxed inserted=1 location=0 value=1 rmw\n"
      "event 1.0 read relaxed inserted=2 location=0 value=1 rf=0.1 rmw\n"
      "event 1.1 write relaxed inserted=3 location=0 value=2 rmw\n");
  EXPECT_EQ(cost, (Cost{0, 1, 4}));
}

TEST(Cost, LoadBufferingIsWeak) {
  const Cost cost = cost_of_events(
      "event 0.0 read relaxed inserted=0 location=0 value=1 rf=1.1\n"
      "event 0.1 write relaxed inserted=1 location=1 value=1\n"
      "event 1.0 read relaxed inserted=2 location=1 value=1 rf=0.1\n"
      "event 1.1 write relaxed inserted=3 location=0 value=1\n");
  EXPECT_EQ(cost.weak_reads, 1);
}

/// No weak reads are counted only if there is an interleaving; and every event is placed.
TEST(Cost, NothingIsCountedOnlyOfInterleavings) {
  int interleavings = 0, weak = 0;
  for (int seed = 0; seed < tests::scaled(400); ++seed) {
    model::testing::RandomGraph random({.threads = 3, .locations = 2, .events = 12, .writes = 4, .plain = 0, .fences = 0, .rmws = 15, .children = seed % 2 == 0 ? 0 : 15},
                                       static_cast<std::uint64_t>(seed));
    random.grow();
    finish_rmws(random);
    const Cost cost = cost_of(random.graph);
    ASSERT_EQ(cost.events, random.graph.size());
    const bool is_interleaving = has_interleaving(trace_of(random.graph, model::Model::kCpp20));
    if (cost.weak_reads == 0) {
      ASSERT_TRUE(is_interleaving) << "seed " << seed;
    }
    ++(is_interleaving ? interleavings : weak);
  }
  model::testing::expect_to_occur(interleavings, 400, 20);
  model::testing::expect_to_occur(weak, 400, 5);
}

}  // namespace
}  // namespace ordeal::analysis::testing
