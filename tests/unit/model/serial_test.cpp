// Serials: the same one in the same slot of two graphs means that they are equal up to there.
#include <gtest/gtest.h>

#include <set>

#include "builder.h"
#include "tests/support/random_graph.h"

namespace ordeal::model::testing {
namespace {

std::uint64_t serial(const ExecutionGraph& graph, Slot slot) { return graph.event(slot).serial; }

TEST(Serials, EachEventHasItsOwnInAllGraphs) {
  std::set<std::uint64_t> seen{0};  // no event has that
  for (int i = 0; i < 2; ++i) {
    Builder builder;
    builder.store(0, x);
    builder.load(1, x, initial(x));
    builder.rmw(2, y, initial(y));
    builder.create(0, 3);
    builder.fence(3, kSeqCst);
    for (int slot = 0; slot < builder.graph.size(); ++slot) EXPECT_TRUE(seen.insert(serial(builder.graph, Slot{slot})).second) << slot;
  }
}

TEST(Serials, ACopyOfAPrefixKeepsThem) {
  for (const Model model : {Model::kCpp20, Model::kTso})  // the latter copies events behind the prefix too
    for (int seed = 0; seed < scaled(20); ++seed) {
      RandomGraph random({.model = model, .threads = 3, .locations = 2, .events = 16, .writes = 6}, static_cast<std::uint64_t>(seed));
      random.grow();
      ExecutionGraph copy;
      for (int size = random.graph.size(); size >= 0; --size) {
        copy.copy_prefix(random.graph, size);
        for (int slot = 0; slot < size; ++slot) ASSERT_EQ(serial(copy, Slot{slot}), serial(random.graph, Slot{slot}));
      }
    }
}

TEST(Serials, AnEventThatIsPushedAgainHasAnother) {
  Builder builder;
  const Slot below = builder.store(0, x), slot = builder.store(1, x);
  const std::uint64_t serial_below = serial(builder.graph, below), before = serial(builder.graph, slot);
  const Event event = builder.graph.event(slot);
  builder.graph.pop();
  ASSERT_EQ(builder.graph.push(event), slot);
  EXPECT_NE(serial(builder.graph, slot), before);
  EXPECT_EQ(serial(builder.graph, below), serial_below);
}

TEST(Serials, AnEventThatACopyGetsHasAnotherThanTheOriginals) {
  Builder builder;
  builder.store(0, x);
  ExecutionGraph copy;
  copy.copy_prefix(builder.graph, 1);
  const Slot slot = builder.store(1, x);
  ASSERT_EQ(copy.push(builder.graph.event(slot)), slot);
  EXPECT_NE(serial(copy, slot), serial(builder.graph, slot));
  EXPECT_EQ(serial(copy, Slot{0}), serial(builder.graph, Slot{0}));
}

// What a revisit takes along may stand behind other events than it did.
TEST(Serials, PushCopyGivesAnother) {
  Builder builder;
  for (int thread = 0; thread < 3; ++thread) builder.store(thread, x);
  ExecutionGraph copy;
  copy.copy_prefix(builder.graph, 2);
  builder.consistency.push_copy(copy, builder.graph.event(Slot{2}), builder.graph, Slot{2});
  EXPECT_NE(serial(copy, Slot{2}), serial(builder.graph, Slot{2}));
  ExecutionGraph direct;
  direct.copy_prefix(builder.graph, 2);
  direct.push_copy(builder.graph.event(Slot{2}), builder.graph, Slot{2});
  EXPECT_NE(serial(direct, Slot{2}), serial(builder.graph, Slot{2}));
  EXPECT_NE(serial(direct, Slot{2}), serial(copy, Slot{2}));
}

}  // namespace
}  // namespace ordeal::model::testing
