#include "model/consistency.h"

#include <gtest/gtest.h>

#include <array>
#include <tuple>
#include <vector>

#include "builder.h"
#include "dump.h"
#include "tests/support/naive.h"
#include "tests/support/random_graph.h"

namespace ordeal::model::testing {
namespace {

/// After each push the verdict is that of the axioms, over all modification orders.
void expect_verdicts_of_the_axioms(const Shape& shape, int rounds) {
  int consistent = 0, inconsistent = 0;
  for (int seed = 0; seed < scaled(rounds); ++seed) {
    RandomGraph random(shape, static_cast<std::uint64_t>(seed));
    random.pushed = [&](bool verdict) {
      if (::testing::Test::HasFatalFailure()) return;
      ASSERT_EQ(verdict, Naive(random.graph).consistent(shape.model)) << "seed " << seed << dump(random.graph);
      (verdict ? consistent : inconsistent) += 1;
    };
    random.grow();
    if (::testing::Test::HasFatalFailure()) return;
    random.pushed = nullptr;
    ASSERT_TRUE(random.consistency.recheck(random.graph)) << "seed " << seed << dump(random.graph);
  }
  expect_to_occur(consistent, rounds, scaled(rounds));
  expect_to_occur(inconsistent, rounds, scaled(rounds) / 4);
}

class Verdicts : public ::testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(Models, Verdicts, ::testing::Values(Model::kCpp20, Model::kRc11, Model::kSc, Model::kTso),
                         [](const auto& model) { return std::string(name_of(model.param)); });

TEST_P(Verdicts, AreThoseOfTheAxiomsWithoutSeqCst) {
  expect_verdicts_of_the_axioms({.model = GetParam(), .threads = 3, .locations = 2, .events = 13, .writes = 4}, 400);
}

TEST_P(Verdicts, AreThoseOfTheAxiomsWithSeqCstAccesses) {
  expect_verdicts_of_the_axioms(
      {.model = GetParam(), .threads = 4, .locations = 2, .events = 13, .writes = 4, .plain = 5, .seq_cst = 65, .fences = 0}, 500);
}

/// Long cycles through many locations: store buffering and its kin.
TEST_P(Verdicts, AreThoseOfTheAxiomsWithManyLocations) {
  expect_verdicts_of_the_axioms(
      {.model = GetParam(), .threads = 5, .locations = 5, .events = 18, .writes = 2, .plain = 0, .seq_cst = 90, .fences = 0, .rmws = 10}, 500);
}

TEST_P(Verdicts, AreThoseOfTheAxiomsWithSeqCstFences) {
  expect_verdicts_of_the_axioms(
      {.model = GetParam(), .threads = 4, .locations = 2, .events = 15, .writes = 4, .plain = 0, .seq_cst = 40, .fences = 35}, 500);
}

TEST_P(Verdicts, AreThoseOfTheAxiomsOnManyReadModifyWrites) {
  expect_verdicts_of_the_axioms({.model = GetParam(), .threads = 4, .locations = 2, .events = 15, .writes = 5, .plain = 0,
                                 .seq_cst = 50, .fences = 15, .rmws = 70},
                                400);
}

TEST_P(Verdicts, AreThoseOfTheAxiomsWithThreadsThatAreCreatedAndJoined) {
  expect_verdicts_of_the_axioms({.model = GetParam(), .threads = 4, .locations = 2, .events = 15, .writes = 4, .plain = 0,
                                 .seq_cst = 60, .fences = 15, .rmws = 20, .children = 25},
                                500);
}

TEST_P(Verdicts, AreThoseOfTheAxiomsOnThreeLocations) {
  expect_verdicts_of_the_axioms({.model = GetParam(), .threads = 4, .locations = 3, .events = 14, .writes = 3, .plain = 0,
                                 .seq_cst = 80, .fences = 15, .rmws = 10},
                                400);
}

// --- whatever the way there ------------------------------------------------------------------------------------------------

/// The shapes in which checks remember most from one to the next.
Shape busy(Model model, bool with_fences) {
  return {.model = model, .threads = 4, .locations = 2, .events = 13, .writes = 4, .plain = 0, .seq_cst = 65,
          .fences = with_fences ? 30 : 0, .rmws = 20};
}

TEST_P(Verdicts, AreThoseOfTheAxiomsAlsoAfterStepsBack) {
  for (const bool with_fences : {false, true})
    for (int seed = 0; seed < scaled(120); ++seed) {
      const Shape shape = busy(GetParam(), with_fences);
      RandomGraph random(shape, static_cast<std::uint64_t>(seed));
      random.pushed = [&](bool verdict) {
        if (::testing::Test::HasFatalFailure()) return;
        ASSERT_EQ(verdict, Naive(random.graph).consistent(shape.model)) << "seed " << seed << dump(random.graph);
      };
      for (int i = 0; i < 150; ++i) {
        if (random.graph.size() < shape.events && random.rng.chance(75)) random.step();
        else
          for (int back = random.rng.below(random.graph.size() + 1) / 2; back >= 0 && random.graph.size() > 0; --back) random.pop();
        if (::testing::Test::HasFatalFailure()) return;
        ASSERT_TRUE(random.consistency.recheck(random.graph)) << "seed " << seed << dump(random.graph);
      }
    }
}

/// As revisits do it: a prefix is copied, some of the other events follow unchecked, and the search goes on from there.
TEST_P(Verdicts, AreThoseOfTheAxiomsAlsoAfterCopies) {
  for (const bool with_fences : {false, true})
    for (int seed = 0; seed < scaled(400); ++seed) {
      const Shape shape = busy(GetParam(), with_fences);
      RandomGraph first(shape, static_cast<std::uint64_t>(seed)), second(shape, static_cast<std::uint64_t>(seed) + 1'000'000);
      first.grow();
      second.grow();  // so that it has something to forget
      const int size = first.graph.size(), prefix = first.rng.below(size + 1);
      second.graph.copy_prefix(first.graph, prefix);
      const int more = first.rng.below(size - prefix + 1);
      for (int i = prefix; i < prefix + more; ++i) {
        Event event = first.graph.event(Slot{i});
        if (second.consistency.mo_is_explicit() && event.kind == EventKind::kWrite) break;  // (its position is another one here)
        second.consistency.push_copy(second.graph, event, first.graph, Slot{i});
      }
      second.pushed = [&](bool verdict) {
        if (::testing::Test::HasFatalFailure()) return;
        ASSERT_EQ(verdict, Naive(second.graph).consistent(shape.model)) << "seed " << seed << dump(second.graph);
      };
      second.grow();
      if (::testing::Test::HasFatalFailure()) return;
    }
}

/// What is kept for later checks of seq_cst: the same as after taking back the events behind the prefix.
TEST(Consistency, ACopyOfAPrefixKnowsOfSeqCstWhatTheGraphKnewThen) {
  const auto known = [](ExecutionGraph& graph) {
    std::vector<std::array<std::int32_t, 4>> witness;
    for (const InWitness& event : graph.seq_cst_relations.witness()) witness.push_back({event.place, event.rank, event.reach, event.highest});
    const auto rows = graph.seq_cst_relations.rows();
    return std::tuple(graph.seq_cst_relations.solved_size(), witness, std::vector(rows.begin(), rows.end()));
  };
  const Shape shape{.threads = 5, .locations = 5, .events = 18, .writes = 3, .plain = 0, .seq_cst = 90, .fences = 0, .rmws = 10};
  int with_rows = 0;
  for (int seed = 0; seed < scaled(300); ++seed) {
    RandomGraph random(shape, static_cast<std::uint64_t>(seed));
    random.grow();
    while (random.graph.size() > 0) {
      ExecutionGraph copy;
      copy.copy_prefix(random.graph, random.graph.size() - 1);
      random.pop();
      ASSERT_EQ(known(copy), known(random.graph)) << "seed " << seed << ", " << copy.size() << " events";
      with_rows += copy.seq_cst_relations.rows().empty() ? 0 : 1;
    }
  }
  EXPECT_GT(with_rows, 0);
}

/// With more than 64, and more than 256, seq_cst events sets of them are kept in another way.
TEST_P(Verdicts, DoNotDependOnSeqCstEventsOfOthers) {
  for (const int others : {70, 300})
    for (int seed = 0; seed < scaled(20); ++seed) {
      const Shape shape = busy(GetParam(), seed % 2 == 0);
      RandomGraph alone(shape, static_cast<std::uint64_t>(seed)), crowded(shape, static_cast<std::uint64_t>(seed));
      const ThreadId thread{shape.threads};
      const LocationId location{shape.locations};
      crowded.graph.declare_thread(thread);
      crowded.graph.declare_location(location, 0);
      for (int i = 0; i < others; ++i) {
        Access access;
        access.kind = EventKind::kWrite;
        access.thread = thread;
        access.location = location;
        access.order = kSeqCst;
        Event write = Consistency::make_write(access);
        write.stamp = crowded.graph.next_stamp++;
        if (crowded.consistency.mo_is_explicit()) write.mo_position = i + 1;
        ASSERT_TRUE(crowded.consistency.push_write(crowded.graph, write));
      }
      for (int i = 0; i < 40; ++i) {
        ASSERT_EQ(alone.step(), crowded.step()) << "seed " << seed << dump(alone.graph);
        ASSERT_EQ(alone.graph.size() + others, crowded.graph.size()) << "seed " << seed;
        if (alone.graph.size() == shape.events) break;
      }
    }
}

// --- making events ----------------------------------------------------------------------------------------------------------

Access compare_exchange(Value expected, Value desired) {
  Access access;
  access.kind = EventKind::kRead;
  access.thread = ThreadId{0};
  access.location = LocationId{x};
  access.function = RmwFunction::kCompareExchange;
  access.order = kAcqRel;
  access.failure_order = kRelaxed;
  access.expected = expected;
  access.operand = desired;
  return access;
}

TEST(MakingEvents, ASuccessfulCompareExchangeIsAReadAndAWriteWithItsOrder) {
  Builder graph;
  const Event read = Consistency::make_read(graph.graph, compare_exchange(0, 5), initial(x), false);
  EXPECT_TRUE(read.is_rmw);
  EXPECT_EQ(read.order, kAcqRel);
  EXPECT_EQ(read.value, 0);
  EXPECT_EQ(read.rf, initial(x));
  EXPECT_FALSE(read.failed_spuriously);
  const Event write = Consistency::make_rmw_write(read);
  EXPECT_EQ(write.kind, EventKind::kWrite);
  EXPECT_TRUE(write.is_rmw);
  EXPECT_EQ(write.order, kAcqRel);
  EXPECT_EQ(write.value, 5);
  EXPECT_EQ(write.rf, initial(x));
  EXPECT_EQ(write.thread, ThreadId{0});
  EXPECT_EQ(write.location, LocationId{x});
}

TEST(MakingEvents, AFailedCompareExchangeIsAReadWithTheFailureOrder) {
  Builder graph;
  const Event read = Consistency::make_read(graph.graph, compare_exchange(1, 5), initial(x), false);
  EXPECT_FALSE(read.is_rmw);
  EXPECT_EQ(read.order, kRelaxed);
  EXPECT_FALSE(read.failed_spuriously);
}

TEST(MakingEvents, ASpuriousFailureReadsAnEqualValueAndDoesNotWrite) {
  Builder graph;
  const Event read = Consistency::make_read(graph.graph, compare_exchange(0, 5), initial(x), true);
  EXPECT_FALSE(read.is_rmw);
  EXPECT_EQ(read.order, kRelaxed);
  EXPECT_EQ(read.value, 0);
  EXPECT_TRUE(read.failed_spuriously);
}

TEST(MakingEvents, AStoreConvertsItsValue) {
  Access access;
  access.kind = EventKind::kWrite;
  access.operand = 257;
  access.bits = 8;
  access.is_signed = false;
  access.order = kRelease;
  const Event write = Consistency::make_write(access);
  EXPECT_EQ(write.value, 1);
  EXPECT_EQ(write.order, kRelease);
  EXPECT_FALSE(write.is_rmw);
}

}  // namespace
}  // namespace ordeal::model::testing
