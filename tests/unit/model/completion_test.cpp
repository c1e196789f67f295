#include "model/completion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "builder.h"
#include "dump.h"
#include "tests/support/naive.h"
#include "tests/support/random_graph.h"

namespace ordeal::model::testing {
namespace {

using Order = std::vector<Slot>;

/// All orders that for_each_completion visits; each must come once.
std::set<Order> completions(ExecutionGraph& graph, Consistency& consistency, const Order& writes) {
  std::set<Order> found;
  for_each_completion(graph, consistency, writes, [&](std::span<const Slot> order) {
    EXPECT_TRUE(found.emplace(order.begin(), order.end()).second) << "an order came twice";
    return true;
  });
  return found;
}

std::set<Order> final_memories(ExecutionGraph& graph, Consistency& consistency, const std::vector<LocationId>& locations) {
  std::set<Order> found;
  for_each_final_memory(graph, consistency, locations, [&](std::span<const Slot> last) {
    EXPECT_TRUE(found.emplace(last.begin(), last.end()).second) << "a final memory came twice";
    return true;
  });
  return found;
}

// --- by hand --------------------------------------------------------------------------------------------------------------------

TEST(Completion, BlindStoresComeInEveryOrder) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.store(1, x), c = graph.store(2, x);
  EXPECT_EQ(completions(graph.graph, graph.consistency, {a, b, c}).size(), 6u);
  EXPECT_EQ(completions(graph.graph, graph.consistency, {b, a}), (std::set<Order>{{a, b}, {b, a}}));
  EXPECT_EQ(final_memories(graph.graph, graph.consistency, {LocationId{x}}), (std::set<Order>{{a}, {b}, {c}}));
}

TEST(Completion, ForcedOrdersAreKept) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.store(0, x), c = graph.store(1, x);
  EXPECT_EQ(completions(graph.graph, graph.consistency, {c, b, a}), (std::set<Order>{{a, b, c}, {a, c, b}, {c, a, b}}));
  EXPECT_EQ(final_memories(graph.graph, graph.consistency, {LocationId{x}}), (std::set<Order>{{b}, {c}}));
}

TEST(Completion, ReadModifyWritesStayBehindTheirSources) {
  Builder graph;
  const Slot a = graph.store(0, x), u = graph.rmw(1, x, a), b = graph.store(2, x);
  EXPECT_EQ(completions(graph.graph, graph.consistency, {a, b, u}), (std::set<Order>{{a, u, b}, {b, a, u}}));
  EXPECT_EQ(final_memories(graph.graph, graph.consistency, {LocationId{x}}), (std::set<Order>{{u}, {b}}));
}

TEST(Completion, WritesOfDifferentLocationsKeepTheirPlaces) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.store(1, x), c = graph.store(0, y), d = graph.store(1, y);
  EXPECT_EQ(completions(graph.graph, graph.consistency, {a, c, b, d}),
            (std::set<Order>{{a, c, b, d}, {b, c, a, d}, {a, d, b, c}, {b, d, a, c}}));
}

TEST(Completion, OfNoWritesIsOneEmptyOrder) {
  Builder graph;
  graph.store(0, x);
  EXPECT_EQ(completions(graph.graph, graph.consistency, {}), (std::set<Order>{{}}));
  EXPECT_EQ(final_memories(graph.graph, graph.consistency, {}), (std::set<Order>{{}}));
}

TEST(Completion, FinalMemoryOfALocationWithoutStoresIsItsInitialWrite) {
  Builder graph;
  const Slot a = graph.store(0, x);
  EXPECT_EQ(final_memories(graph.graph, graph.consistency, {LocationId{y}, LocationId{x}}), (std::set<Order>{{initial(y), a}}));
}

TEST(Completion, FinalMemoryOfACounterIsItsLastReadModifyWrite) {
  Builder graph;
  const Slot a = graph.rmw(0, x, initial(x)), b = graph.rmw(1, x, a);
  EXPECT_EQ(final_memories(graph.graph, graph.consistency, {LocationId{x}}), (std::set<Order>{{b}}));
}

/// 2+2W: with seq_cst the two locations are not free of each other.
TEST(Completion, SeqCstCouplesTheFinalMemoryOfTwoLocations) {
  for (const Model model : {Model::kCpp20, Model::kRc11})
    for (const MemoryOrder order : {kRelease, kSeqCst}) {
      Builder graph(model);
      const Slot a = graph.store(0, x, order, 1), b = graph.store(0, y, order, 2);
      const Slot c = graph.store(1, y, order, 1), d = graph.store(1, x, order, 2);
      std::set<Order> expected{{a, b}, {d, b}, {d, c}};  // x, y
      if (order == kRelease) expected.insert({a, c});
      EXPECT_EQ(final_memories(graph.graph, graph.consistency, {LocationId{x}, LocationId{y}}), expected);
    }
}

TEST(Completion, VisitsStopWhenTheVisitorSaysSo) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.store(1, x), c = graph.store(2, x);
  graph.store(0, y), graph.store(1, y);
  const std::string before = dump(graph.graph);
  for (const int stop_at : {1, 2, 4}) {
    int visits = 0;
    for_each_completion(graph.graph, graph.consistency, Order{a, b, c}, [&](std::span<const Slot>) { return ++visits < stop_at; });
    EXPECT_EQ(visits, stop_at);
    visits = 0;
    const std::vector<LocationId> locations{LocationId{x}, LocationId{y}};
    for_each_final_memory(graph.graph, graph.consistency, locations, [&](std::span<const Slot>) { return ++visits < stop_at; });
    EXPECT_EQ(visits, stop_at);
    EXPECT_EQ(dump(graph.graph), before);
  }
}

TEST(Completion, OfAnExplicitOrderIsThatOrder) {
  for (const Model model : {Model::kSc, Model::kTso}) {
    Builder graph(model);
    const Slot a = graph.store(0, x), b = graph.store(1, x, kRelaxed, 2, 1), c = graph.store(2, y);
    EXPECT_EQ(completions(graph.graph, graph.consistency, {a, c, b}), (std::set<Order>{{b, c, a}}));
    EXPECT_EQ(final_memories(graph.graph, graph.consistency, {LocationId{x}, LocationId{y}, LocationId{z}}),
              (std::set<Order>{{a, c, initial(z)}}));
  }
}

// --- against all permutations ---------------------------------------------------------------------------------------------------

/// `writes` in the order of `mo`, those of other locations where they stand.
Order sorted_by(const Naive& naive, const ExecutionGraph& graph, const Relation& mo, const Order& writes) {
  Order sorted = writes;
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = i + 1; j < sorted.size(); ++j)
      if (graph.event(sorted[i]).location == graph.event(sorted[j]).location && mo(naive.id(sorted[j]), naive.id(sorted[i])))
        std::swap(sorted[i], sorted[j]);
  return sorted;
}

/// A random selection of the graph's writes, of both locations, in any order; at times with an initial one.
Order random_writes(RandomGraph& random) {
  Order writes;
  for (int i = 0; i < random.graph.size(); ++i)
    if (random.graph.event(Slot{i}).kind == EventKind::kWrite && random.rng.chance(70)) writes.push_back(Slot{i});
  if (random.rng.chance(20)) writes.push_back(initial(random.rng.below(random.graph.locations())));
  for (std::size_t i = writes.size(); i > 1; --i)
    std::swap(writes[i - 1], writes[static_cast<std::size_t>(random.rng.below(static_cast<int>(i)))]);
  return writes;
}

void expect_completions_of_the_axioms(const Shape& shape, int rounds) {
  int several = 0;
  for (int seed = 0; seed < scaled(rounds); ++seed) {
    RandomGraph random(shape, static_cast<std::uint64_t>(seed));
    random.grow();
    const Order writes = random_writes(random);
    const Naive naive(random.graph);
    std::vector<LocationId> locations;
    for (int l = 0; l < shape.locations; ++l) locations.push_back(LocationId{shape.locations - 1 - l});
    std::set<Order> orders, memories;
    naive.for_each_mo(shape.model, [&](const Relation& mo) {
      orders.insert(sorted_by(naive, random.graph, mo, writes));
      Order last;
      for (const LocationId location : locations) {
        Order all;
        for (const int write : naive.writes_at(number(location))) all.push_back(naive.slot(write));
        last.push_back(sorted_by(naive, random.graph, mo, all).back());
      }
      memories.insert(last);
      return true;
    });
    const std::string before = dump(random.graph);
    ASSERT_EQ(completions(random.graph, random.consistency, writes), orders) << "seed " << seed << before;
    ASSERT_EQ(final_memories(random.graph, random.consistency, locations), memories) << "seed " << seed << before;
    ASSERT_EQ(dump(random.graph), before);  // and the graph is as it was
    several += memories.size() > 1 ? 1 : 0;
  }
  expect_to_occur(several, rounds, scaled(rounds) / 10);
}

class CompletionOf : public ::testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(Models, CompletionOf, ::testing::Values(Model::kCpp20, Model::kRc11),
                         [](const auto& model) { return std::string(name_of(model.param)); });

TEST_P(CompletionOf, RandomGraphsIsWhatSomeModificationOrderHas) {
  expect_completions_of_the_axioms({.model = GetParam(), .threads = 4, .locations = 2, .events = 12, .writes = 4}, 500);
}

TEST_P(CompletionOf, RandomGraphsWithSeqCstAccessesIsWhatSomeModificationOrderHas) {
  expect_completions_of_the_axioms(
      {.model = GetParam(), .threads = 4, .locations = 2, .events = 12, .writes = 4, .plain = 0, .seq_cst = 75, .fences = 0, .rmws = 15}, 500);
}

TEST_P(CompletionOf, RandomGraphsWithSeqCstFencesIsWhatSomeModificationOrderHas) {
  expect_completions_of_the_axioms(
      {.model = GetParam(), .threads = 4, .locations = 2, .events = 14, .writes = 4, .plain = 0, .seq_cst = 50, .fences = 35, .rmws = 15}, 500);
}

TEST_P(CompletionOf, RandomGraphsOfThreeLocationsIsWhatSomeModificationOrderHas) {
  expect_completions_of_the_axioms(
      {.model = GetParam(), .threads = 4, .locations = 3, .events = 13, .writes = 3, .plain = 0, .seq_cst = 80, .fences = 10, .rmws = 10}, 300);
}

}  // namespace
}  // namespace ordeal::model::testing
