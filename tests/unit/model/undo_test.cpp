// Push and pop, copies of graphs: whatever the way, equal events make equal graphs.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "builder.h"
#include "dump.h"
#include "tests/support/naive.h"
#include "tests/support/random_graph.h"

namespace ordeal::model::testing {
namespace {

/// The shapes of graphs that the tests below run over, one after the other.
std::vector<Shape> shapes() {
  return {
      {.threads = 4, .locations = 3, .events = 18, .writes = 7},
      {.threads = 3, .locations = 1, .events = 18, .writes = 9, .rmws = 60, .revisited = true},
      {.threads = 4, .locations = 2, .events = 16, .writes = 6, .seq_cst = 60, .fences = 25, .revisited = true},
      {.model = Model::kRc11, .threads = 4, .locations = 2, .events = 16, .writes = 6, .seq_cst = 60, .fences = 25},
      {.threads = 6, .locations = 2, .events = 18, .writes = 7, .seq_cst = 20, .children = 25, .revisited = true},
      {.model = Model::kSc, .threads = 3, .locations = 2, .events = 16, .writes = 6, .revisited = true},
      {.model = Model::kTso, .threads = 3, .locations = 2, .events = 16, .writes = 6, .seq_cst = 20, .revisited = true},
  };
}

template <class Check>
void for_random_graphs(int rounds, Check&& check) {
  const std::vector<Shape> all = shapes();
  for (int seed = 0; seed < scaled(rounds); ++seed)
    for (std::size_t shape = 0; shape < all.size(); ++shape) {
      SCOPED_TRACE("shape " + std::to_string(shape) + ", seed " + std::to_string(seed));
      check(all[shape], static_cast<std::uint64_t>(seed));
      if (::testing::Test::HasFailure()) return;
    }
}

TEST(Undo, PopTakesBackAllThatAPushDidOnRandomSequences) {
  for_random_graphs(40, [](const Shape& shape, std::uint64_t seed) {
    RandomGraph random(shape, seed);
    std::vector<std::string> dumps{dump(random.graph)};  // of each size on the way here
    for (int i = 0; i < 120; ++i) {
      if (random.graph.size() > 0 && (random.graph.size() >= shape.events || random.rng.chance(40))) {
        random.pop();
      } else {
        // A step may push two events, an RMW; look at each.
        const std::function<void(bool)> watch = [&](bool verdict) {
          if (verdict) dumps.push_back(dump(random.graph));
        };
        random.pushed = watch;
        random.step();
      }
      dumps.resize(static_cast<std::size_t>(random.graph.size()) + 1);
      ASSERT_EQ(dump(random.graph), dumps.back());
    }
  });
}

TEST(Undo, PopTakesBackAnInconsistentEventToo) {
  int refused = 0;
  for_random_graphs(60, [&](const Shape& shape, std::uint64_t seed) {
    RandomGraph random(shape, seed);
    for (int i = 0; i < 60; ++i) {
      const std::string before = dump(random.graph);
      bool was_refused = false;
      random.pushed = [&](bool verdict) { was_refused |= !verdict; };
      if (random.graph.size() >= shape.events) break;
      if (random.step()) continue;
      refused += was_refused ? 1 : 0;
      ASSERT_EQ(dump(random.graph), before);
    }
  });
  expect_to_occur(refused, 60 * 7);
}

TEST(Undo, ClearLeavesAGraphThatGrowsAsAFreshOneDoes) {
  for_random_graphs(30, [](const Shape& shape, std::uint64_t seed) {
    RandomGraph used(shape, seed + 1000), fresh(shape, seed);
    used.grow();
    used.graph.clear();
    ASSERT_EQ(dump(used.graph), dump(fresh.graph));
    EXPECT_EQ(used.graph.next_stamp, 0u);
    for (int i = 0; i < fresh.graph.locations(); ++i) EXPECT_EQ(used.graph.last_write(LocationId{i}), kNone);
  });
}

// --- copies -------------------------------------------------------------------------------------------------------------------

TEST(Copies, CopyPrefixEqualsPoppingToThatSize) {
  ExecutionGraph copy;  // used again and again, as a level of the explorer is
  for_random_graphs(150, [&](const Shape& shape, std::uint64_t seed) {
    RandomGraph random(shape, seed);
    random.grow();
    const int size = random.graph.size();
    const int prefix = seed % 4 == 0 ? size : random.rng.below(size + 1);
    copy.copy_prefix(random.graph, prefix);
    while (random.graph.size() > prefix) random.pop();
    ASSERT_EQ(dump(copy), dump(random.graph));
    EXPECT_EQ(copy.width(), random.graph.width());
    // It can be popped further, too.
    while (random.graph.size() > 0) {
      random.pop();
      copy.pop();
      ASSERT_EQ(dump(copy), dump(random.graph));
    }
  });
}

/// Two levels of the explorer: each grows and is popped, and becomes a prefix of the other again and again. With many threads rows are wide,
/// so that those of common events are not copied.
TEST(Copies, ARelatedGraphIsCopiedLikeAnyOther) {
  for_random_graphs(60, [](const Shape& shape, std::uint64_t seed) {
    RandomGraph one(shape, seed), two(shape, seed + 1000);
    for (RandomGraph* random : {&one, &two}) random->graph.declare_thread(ThreadId{79});
    for (int round = 0; round < 12; ++round) {
      RandomGraph &from = round % 3 == 2 ? two : one, &to = round % 3 == 2 ? one : two;
      for (int i = 0; i < 8 && from.graph.size() < shape.events; ++i) from.step();
      if (round % 2 == 0) from.consistency.recheck(from.graph);  // fills rows that are filled when needed
      const int prefix = from.rng.below(from.graph.size() + 1);
      to.graph.copy_prefix(from.graph, prefix, true);
      ExecutionGraph copy;
      copy.copy_prefix(from.graph, prefix);
      ASSERT_EQ(dump(to.graph), dump(copy));
      ASSERT_EQ(to.graph.shb_valid, copy.shb_valid);
      for (int i = 0; i < copy.shb_valid; ++i)
        ASSERT_EQ(std::memcmp(to.graph.row(Slot{i}, Row::kShb), copy.row(Slot{i}, Row::kShb), 2 * sizeof(ClockEntry) * static_cast<std::size_t>(copy.width())), 0);
      for (int i = 0; i < 5 && to.graph.size() < shape.events; ++i) to.step();
      for (RandomGraph* random : {&one, &two})
        for (int pops = random->rng.below(4); pops > 0 && random->graph.size() > 0; --pops) random->pop();
    }
  });
}

TEST(Copies, CopyPrefixLeavesTheOriginalAlone) {
  for_random_graphs(30, [&](const Shape& shape, std::uint64_t seed) {
    RandomGraph random(shape, seed);
    random.grow();
    const std::string before = dump(random.graph);
    ExecutionGraph copy;
    copy.copy_prefix(random.graph, random.graph.size() / 2);
    ASSERT_EQ(dump(random.graph), before);
    Event fence;
    fence.thread = ThreadId{0};
    fence.stamp = 1'000'000;
    copy.push(fence);
    ASSERT_EQ(dump(random.graph), before);
  });
}

TEST(Copies, ACopyGrowsAsTheOriginalDoes) {
  for_random_graphs(60, [&](const Shape& shape, std::uint64_t seed) {
    RandomGraph random(shape, seed);
    while (random.graph.size() < shape.events / 2) random.step();
    RandomGraph copy(shape, seed);
    copy.graph.copy_prefix(random.graph, random.graph.size());
    random.rng = copy.rng = base::Rng(seed, 1);
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(random.step(), copy.step());
      // Values differ (they are counted in each), the rest must not.
      ASSERT_EQ(random.graph.size(), copy.graph.size());
      for (int j = 0; j < random.graph.size(); ++j)
        ASSERT_EQ(std::memcmp(random.graph.row(Slot{j}, Row::kHb), copy.graph.row(Slot{j}, Row::kHb),
                              sizeof(ClockEntry) * static_cast<std::size_t>(random.graph.width())),
                  0);
    }
  });
}

TEST(Copies, PayloadsTravelWithTheirEvents) {
  Builder builder;
  ExecutionGraph& graph = builder.graph;
  graph.set_payload_size(sizeof(int));
  for (int i = 0; i < 40; ++i) {
    builder.store(i % 3, x);
    std::memcpy(graph.payload(graph.last()), &i, sizeof i);
  }
  ExecutionGraph copy;
  copy.copy_prefix(graph, 30);
  EXPECT_EQ(copy.payload_size(), sizeof(int));
  for (int i = 0; i < 30; ++i) {
    int found = -1;
    std::memcpy(&found, copy.payload(Slot{i}), sizeof found);
    EXPECT_EQ(found, i);
  }
}

// --- push_copy ------------------------------------------------------------------------------------------------------------------

/// The slots of a random part of the graph that contains with each event all that it depends on, in another order that
/// respects po ∪ rf.
std::vector<Slot> random_prefix(const ExecutionGraph& graph, base::Rng& rng) {
  std::vector<char> wanted(static_cast<std::size_t>(graph.size()), 0);
  for (int picks = 1 + rng.below(4); picks > 0; --picks) {
    const Slot end{rng.below(graph.size())};
    for (int i = 0; i < graph.size(); ++i)
      if (graph.porf_before(Slot{i}, end)) wanted[static_cast<std::size_t>(i)] = 1;
  }
  std::vector<Slot> order;
  std::vector<char> done(wanted.size(), 0);
  const auto is_ready = [&](Slot slot) {
    for (int i = 0; i < graph.size(); ++i)
      if (Slot{i} != slot && graph.porf_before(Slot{i}, slot) && done[static_cast<std::size_t>(i)] == 0) return false;
    return true;
  };
  std::size_t left = 0;
  for (const char is_wanted : wanted) left += static_cast<std::size_t>(is_wanted);
  while (order.size() < left) {
    const Slot slot{rng.below(graph.size())};
    const auto i = static_cast<std::size_t>(number(slot));
    if (wanted[i] == 0 || done[i] != 0 || !is_ready(slot)) continue;
    order.push_back(slot);
    done[i] = 1;
  }
  return order;
}

TEST(Copies, PushCopyEqualsPush) {
  for_random_graphs(150, [&](const Shape& shape, std::uint64_t seed) {
    if (shape.model == Model::kSc || shape.model == Model::kTso) return;  // positions would have to be chosen anew
    RandomGraph random(shape, seed);
    random.grow();
    const ExecutionGraph& from = random.graph;
    Consistency consistency(shape.model);
    ExecutionGraph pushed, copied;
    for (ExecutionGraph* graph : {&pushed, &copied}) {
      for (int t = 0; t < from.threads(); ++t) graph->declare_thread(ThreadId{t});
      for (int l = 0; l < from.locations(); ++l) graph->declare_location(LocationId{l}, 0);
    }
    std::vector<Slot> place(static_cast<std::size_t>(from.size()), kNone);
    for (const Slot slot : random_prefix(from, random.rng)) {
      Event event = from.event(slot);
      if (number(event.rf) >= 0 && (event.kind == EventKind::kRead || event.is_rmw)) event.rf = place[static_cast<std::size_t>(number(event.rf))];
      bool verdict = true;
      if (event.kind == EventKind::kRead) verdict = consistency.push_read(pushed, event);
      else if (event.kind == EventKind::kWrite) verdict = consistency.push_write(pushed, event);
      else consistency.push_other(pushed, event);
      ASSERT_TRUE(verdict);
      consistency.push_copy(copied, event, from, slot);
      place[static_cast<std::size_t>(number(slot))] = pushed.last();
    }
    // What seq_cst forces is found again by the next check; without seq_cst events even the undo logs agree.
    const bool has_seq_cst = shape.seq_cst > 0;
    ASSERT_TRUE(consistency.recheck(pushed));
    ASSERT_TRUE(consistency.recheck(copied));
    ASSERT_EQ(dump(copied, !has_seq_cst), dump(pushed, !has_seq_cst));
    while (pushed.size() > 0) {
      pushed.pop();
      copied.pop();
      if (has_seq_cst) continue;
      ASSERT_EQ(dump(copied), dump(pushed));
    }
  });
}

TEST(Copies, PushCopyTakesTheRowsOfStronglyHappensBeforeAlongWhileTheyAreValid) {
  Builder builder;
  const Slot a = builder.store(0, x, kSeqCst);
  builder.load(1, x, a, kSeqCst);
  EXPECT_TRUE(builder.consistency.recheck(builder.graph));
  ASSERT_EQ(builder.graph.shb_valid, 2);
  ExecutionGraph copied;
  for (int t = 0; t < builder.graph.threads(); ++t) copied.declare_thread(ThreadId{t});
  for (int l = 0; l < builder.graph.locations(); ++l) copied.declare_location(LocationId{l}, 0);
  for (int i = 0; i < 2; ++i) builder.consistency.push_copy(copied, builder.graph.event(Slot{i}), builder.graph, Slot{i});
  EXPECT_EQ(copied.shb_valid, 2);
  EXPECT_EQ(copied.row(Slot{1}, Row::kShb)[0], 1);
}

// --- threads and locations that come late -------------------------------------------------------------------------------------

TEST(Growth, ThreadsDeclaredLateKeepTheRowsAndTheUndoLog) {
  Builder late(Model::kCpp20, 2), early(Model::kCpp20, 11);
  const auto first_half = [](Builder& graph) {
    const Slot a = graph.store(0, x, kRelease), b = graph.store(1, x);
    graph.load(0, x, b);  // forces an order, which goes to the undo log
    graph.rmw(1, y, initial(y));
    EXPECT_TRUE(graph.forced(a, b));
    return a;
  };
  const auto second_half = [](Builder& graph, Slot a) {
    const Slot c = graph.store(10, x);
    graph.load(9, x, a, kAcquire);
    graph.load(9, x, c);
  };
  const Slot a = first_half(late);
  first_half(early);
  for (int t = 2; t < 11; ++t) late.graph.declare_thread(ThreadId{t});
  EXPECT_EQ(late.graph.width() % 4, 0);
  EXPECT_EQ(dump(late.graph, false), dump(early.graph, false));
  second_half(late, a);
  second_half(early, a);
  while (early.graph.size() > 0) {
    ASSERT_EQ(dump(late.graph, false), dump(early.graph, false));
    late.graph.pop();
    early.graph.pop();
  }
}

TEST(Growth, LocationsDeclaredLateKeepTheEvents) {
  Builder late(Model::kCpp20, 2, 1), early(Model::kCpp20, 2, 9);
  for (Builder* graph : {&late, &early}) {
    const Slot a = graph->store(0, x);
    graph->rmw(1, x, a);
  }
  for (int l = 1; l < 9; ++l) late.graph.declare_location(LocationId{l}, 0);
  EXPECT_EQ(dump(late.graph), dump(early.graph));
  for (Builder* graph : {&late, &early}) graph->load(1, 8, initial(8));
  EXPECT_EQ(dump(late.graph), dump(early.graph));
}

TEST(Growth, InitialValuesAreThoseOfTheLastDeclaration) {
  ExecutionGraph graph;
  graph.declare_location(LocationId{2}, 7);
  EXPECT_EQ(graph.locations(), 3);
  EXPECT_EQ(graph.event(initial(2)).value, 7);
  EXPECT_EQ(graph.event(initial(0)).value, 0);
  graph.declare_location(LocationId{0}, -1);
  EXPECT_EQ(graph.event(initial(0)).value, -1);
}

// --- explicit modification order ----------------------------------------------------------------------------------------------

TEST(ExplicitMo, AWritePutInFrontMovesTheOthersUpAndPopMovesThemBack) {
  Builder graph(Model::kSc);
  const Slot a = graph.store(0, x), b = graph.store(1, x);
  const Slot elsewhere = graph.store(2, y);
  EXPECT_EQ(graph.mo_position(a), 1);
  EXPECT_EQ(graph.mo_position(b), 2);
  const std::string before = dump(graph.graph);
  const Slot first = graph.store(2, x, kRelaxed, 1, 1);
  EXPECT_EQ(graph.mo_position(first), 1);
  EXPECT_EQ(graph.mo_position(a), 2);
  EXPECT_EQ(graph.mo_position(b), 3);
  EXPECT_EQ(graph.mo_position(elsewhere), 1);
  EXPECT_EQ(graph.mo_position(initial(x)), 0);
  const Slot middle = graph.store(3, x, kRelaxed, 1, 3);
  EXPECT_EQ(graph.mo_position(a), 2);
  EXPECT_EQ(graph.mo_position(middle), 3);
  EXPECT_EQ(graph.mo_position(b), 4);
  graph.graph.pop();
  graph.graph.pop();
  EXPECT_EQ(dump(graph.graph), before);
}

TEST(ExplicitMo, PositionsOfALocationAreAlwaysOneToN) {
  for (int seed = 0; seed < scaled(200); ++seed) {
    RandomGraph random({.model = Model::kTso, .threads = 3, .locations = 2, .events = 16, .writes = 7, .rmws = 30},
                       static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 60; ++i) {
      if (random.graph.size() > 0 && (random.graph.size() == 16 || random.rng.chance(35))) random.pop();
      else random.step();
      for (int l = 0; l < 2; ++l) {
        const LocationId location{l};
        std::vector<int> hits(static_cast<std::size_t>(random.graph.writes_at(location)) + 1, 0);
        for (Slot at = random.graph.last_write(location); at != kNone; at = random.graph.event(at).previous_at_location)
          ++hits.at(static_cast<std::size_t>(random.graph.event(at).mo_position));
        for (std::size_t p = 1; p < hits.size(); ++p) ASSERT_EQ(hits[p], 1) << "seed " << seed;
      }
    }
  }
}

TEST(ExplicitMo, ACopyOfAPrefixHasThePositionsOfThatTime) {
  Builder graph(Model::kSc);
  const Slot a = graph.store(0, x);
  graph.store(1, x, kRelaxed, 1, 1);
  graph.store(2, x, kRelaxed, 1, 1);
  EXPECT_EQ(graph.mo_position(a), 3);
  ExecutionGraph copy;
  copy.copy_prefix(graph.graph, 1);
  EXPECT_EQ(copy.event(a).mo_position, 1);
}

}  // namespace
}  // namespace ordeal::model::testing
