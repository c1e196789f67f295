// Is it an interleaving? Against all interleavings, on random executions; and cases of the literature.
#include "analysis/sc_equivalence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "executions.h"
#include "tests/support/scale.h"

namespace ordeal::analysis {
namespace {

using testing::check_cycle;
using testing::check_interleaving;
using testing::has_interleaving;
using testing::Maker;

/// Every operation stands behind all that it depends on, as in a graph.
bool respects_dependencies(const Operations& operations) {
  for (OperationId id = 0; id < operations.size(); ++id) {
    const Operation& operation = operations[id];
    if (operation.source >= id) return false;
    if (operation.other < 0 || operations.of_thread(operation.other).empty()) continue;
    if (operation.sort == Sort::kCreate && operations.of_thread(operation.other).front() < id) return false;
    if (operation.sort == Sort::kJoin && operations.of_thread(operation.other).back() > id) return false;
  }
  return true;
}

/// What the answer needs has no interleaving by itself. Returns how many operations are not needed.
int check_last_needed(ScEquivalence& equivalence, const Operations& operations) {
  const bool has_positions = std::any_of(operations.all.begin(), operations.all.end(), [](const Operation& operation) { return operation.mo_position != 0; });
  const std::int32_t last = equivalence.last_needed();
  if (has_positions || !respects_dependencies(operations)) return 0;
  Operations beginning;
  beginning.assign(std::span(operations.all).first(static_cast<std::size_t>(last) + 1), operations.threads, operations.locations);
  EXPECT_FALSE(has_interleaving(beginning)) << testing::text_of(operations) << "up to " << last;
  return operations.size() - beginning.size();
}

/// The answer is what all interleavings say, and comes with a proof.
void expect_right(ScEquivalence& equivalence, const Operations& operations, bool is_sc, int* not_needed = nullptr) {
  const Sc answer = equivalence.decide(operations);
  ASSERT_EQ(answer, is_sc ? Sc::kYes : Sc::kNo) << testing::text_of(operations);
  if (is_sc) {
    ASSERT_EQ(check_interleaving(operations, equivalence.interleaving()), "") << testing::text_of(operations);
  } else {
    if (not_needed != nullptr) *not_needed += check_last_needed(equivalence, operations);
    ASSERT_FALSE(::testing::Test::HasFailure());
    const Cycle cycle = equivalence.cycle();
    ASSERT_EQ(check_cycle(operations, cycle.edges, cycle.reasons), "") << testing::text_of(operations);
  }
}

TEST(ScEquivalence, RandomExecutionsAreJudgedAsAllInterleavingsSay) {
  base::Rng rng(1);
  ScEquivalence equivalence, inferring, moving;
  inferring.set_inferring_always(true);
  moving.set_moving_back(true);
  int yes = 0, not_needed = 0, not_needed_inferring = 0;
  const int count = tests::scaled(8'000);
  for (int i = 0; i < count; ++i) {
    const Operations operations = testing::random_execution(rng);
    const bool is_sc = has_interleaving(operations);
    yes += is_sc ? 1 : 0;
    expect_right(equivalence, operations, is_sc, &not_needed);
    if (HasFatalFailure()) return;
    expect_right(moving, operations, is_sc);
    if (HasFatalFailure()) return;
    expect_right(inferring, operations, is_sc, &not_needed_inferring);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(yes, count / 20);          // both answers come often enough to mean something
  EXPECT_LT(yes, count - count / 20);
  EXPECT_GT(not_needed, count / 100);
  EXPECT_GT(not_needed_inferring, count / 100);
}

TEST(ScEquivalence, MessagePassingHasTheCycleOfThePaper) {  // AutoMO, Fig. 7
  Maker maker(2, 2);
  const OperationId x = maker.write(0, 0), y = maker.write(0, 1);
  const OperationId read_y = maker.read(1, 1, y), read_x = maker.read_initial(1, 0);
  const Operations operations = maker.make();
  ScEquivalence equivalence;
  ASSERT_EQ(equivalence.decide(operations), Sc::kNo);
  const Cycle cycle = equivalence.cycle();
  ASSERT_EQ(cycle.edges.size(), 4U);
  std::size_t first = 0;
  while (cycle.edges[first].from != x) ++first;
  const auto edge = [&](std::size_t i) { return cycle.edges[(first + i) % 4]; };
  EXPECT_EQ(edge(0), (ScEdge{x, y, ScEdgeKind::kPo}));
  EXPECT_EQ(edge(1), (ScEdge{y, read_y, ScEdgeKind::kRf}));
  EXPECT_EQ(edge(2), (ScEdge{read_y, read_x, ScEdgeKind::kPo}));
  EXPECT_EQ(edge(3), (ScEdge{read_x, x, ScEdgeKind::kFr, initial_write(0)}));
  EXPECT_FALSE(cycle.is_one_case);
}

/// AutoMO, Fig. 9: a sort that puts line 1 before lines 5 and 8 is no interleaving.
TEST(ScEquivalence, FigureNineIsAnInterleavingWithLineOneBehindTheOthers) {
  constexpr int x = 0, y = 1, z = 2;
  Maker maker(3, 3);
  const OperationId line1 = maker.write(0, z), line2 = maker.write(0, x), line3 = maker.write(0, y);
  maker.read(0, z, line1);
  const OperationId line5 = maker.write(1, z);
  maker.write(1, x);
  maker.read(1, x, line2);
  const OperationId line8 = maker.write(2, z);
  maker.write(2, y);
  maker.read(2, y, line3);
  const Operations operations = maker.make();
  ASSERT_TRUE(has_interleaving(operations));
  ScEquivalence equivalence;
  for (const bool infers : {false, true}) {
    equivalence.set_inferring_always(infers);
    ASSERT_EQ(equivalence.decide(operations), Sc::kYes);
    const std::vector<OperationId>& order = equivalence.interleaving();
    EXPECT_EQ(check_interleaving(operations, order), "");
    const auto place = [&](OperationId id) { return std::find(order.begin(), order.end(), id); };
    EXPECT_LT(place(line5), place(line1));
    EXPECT_LT(place(line8), place(line1));
  }
}

/// Two writes to z. Were `first` before `second`, then all who read it would be, too; and so y = 1 would be before y = 2, because of the
/// read behind `second`, and y = 2 before y = 1, because of the read of another thread behind it. No rule says so before it is tried.
struct Choice {
  OperationId first, second;
};
void add_contradiction(Maker& maker, const Choice& choice, int second_writer, int threads_from, int y, int z = 0) {
  const OperationId one = maker.write(threads_from, y);
  maker.read(threads_from, z, choice.first);
  const OperationId two = maker.write(threads_from + 1, y);
  maker.read(threads_from + 1, z, choice.first);
  maker.read(second_writer, y, two);
  maker.read(threads_from + 2, z, choice.second);
  maker.read(threads_from + 2, y, one);
}

TEST(ScEquivalence, WhereOnlyOneOrderOfTwoWritesLeadsOnItIsFound) {
  Maker maker(5, 2);
  const OperationId first = maker.write(0, 0), second = maker.write(1, 0);
  add_contradiction(maker, {first, second}, 1, 2, 1);
  const Operations operations = maker.make();
  std::vector<OperationId> order;
  for (OperationId id = 0; id < operations.size(); ++id) order.push_back(id);
  Inference inference;
  inference.begin(operations, order);
  ASSERT_TRUE(inference.run());
  EXPECT_FALSE(inference.is_before(first, second) || inference.is_before(second, first));
  inference.assume(first, second);
  EXPECT_FALSE(inference.run());
  ASSERT_TRUE(has_interleaving(operations));
  ScEquivalence equivalence;
  for (const bool infers : {false, true}) {
    equivalence.set_inferring_always(infers);
    expect_right(equivalence, operations, true);
    EXPECT_GT(equivalence.assumptions(), 0U);
  }
}

/// The schedule takes the right write to z first, gets stuck behind the wrong one to another location; so the wrong order of the first two
/// is tried in vain, then the right one.
TEST(ScEquivalence, WhereTheOrderTriedFirstLeadsNowhereTheOtherIsTried) {
  Maker maker(10, 4);
  const OperationId second = maker.write(1, 0), first = maker.write(0, 0);
  const OperationId other_first = maker.write(5, 2), other_second = maker.write(6, 2);
  add_contradiction(maker, {first, second}, 1, 2, 1);
  add_contradiction(maker, {other_first, other_second}, 6, 7, 3, 2);
  const Operations operations = maker.make();
  ASSERT_TRUE(has_interleaving(operations));
  ScEquivalence equivalence;
  for (const bool infers : {false, true}) {
    equivalence.set_inferring_always(infers);
    expect_right(equivalence, operations, true);
    EXPECT_GT(equivalence.assumptions(), 1U);
  }
}

TEST(ScEquivalence, WhereBothOrdersOfTwoWritesAreForbiddenOneCaseIsShown) {
  Maker maker(8, 3);
  const OperationId first = maker.write(0, 0), second = maker.write(1, 0);
  add_contradiction(maker, {first, second}, 1, 2, 1);
  add_contradiction(maker, {second, first}, 0, 5, 2);
  const Operations operations = maker.make();
  ASSERT_FALSE(has_interleaving(operations));
  ScEquivalence equivalence;
  for (const bool infers : {false, true}) {
    equivalence.set_inferring_always(infers);
    expect_right(equivalence, operations, false);
    EXPECT_TRUE(equivalence.cycle().is_one_case);
  }
}

/// What the table of a hash map showed first: an update is missed by a later reader. The cycle goes through that read, not over an inferred
/// order of the two writes.
TEST(ScEquivalence, TheCycleGoesThroughTheReadThatIsSurprising) {
  Maker maker(2, 2);
  const OperationId old = maker.write(0, 0);
  const OperationId update = maker.update(0, 0, old);
  const OperationId flag = maker.write(0, 1);
  const OperationId seen = maker.read(1, 1, flag), stale = maker.read(1, 0, old);
  const Operations operations = maker.make();
  ScEquivalence equivalence;
  for (const bool infers : {false, true}) {
    equivalence.set_inferring_always(infers);
    ASSERT_EQ(equivalence.decide(operations), Sc::kNo);
    const Cycle cycle = equivalence.cycle();
    EXPECT_EQ(check_cycle(operations, cycle.edges, cycle.reasons), "");
    std::set<OperationId> through;
    for (const ScEdge& edge : cycle.edges) {
      through.insert(edge.from);
      EXPECT_NE(edge.kind, ScEdgeKind::kMo);
    }
    EXPECT_EQ(through, (std::set<OperationId>{update, flag, seen, stale}));
  }
}

TEST(ScEquivalence, AnUpdateLeavesNoRoomForAnotherWrite) {
  Maker maker(3, 1);
  const OperationId first = maker.write(0, 0);
  maker.update(1, 0, first);
  maker.update(2, 0, first);
  const Operations operations = maker.make();
  ScEquivalence equivalence;
  EXPECT_EQ(equivalence.decide(operations), Sc::kNo);
}

TEST(ScEquivalence, AThreadThatReadsItsOwnUpdateIsNoCrash) {  // only a file that somebody has changed has this
  Maker maker(1, 1);
  maker.update(0, 0, 0);
  const Operations operations = maker.make();
  ScEquivalence equivalence;
  EXPECT_EQ(equivalence.decide(operations), Sc::kNo);
  EXPECT_EQ(equivalence.cycle().edges.size(), 1U);
}

/// A queue between two threads, so long that anything quadratic shows: elements written, then read, in turns that the order of execution
/// does not show. The reader sees the element before the last at `stale`: not SC.
Operations long_queue(int count, int stale) {
  constexpr int tail = 0, data = 1;
  Maker maker(2, 2);
  std::vector<OperationId> tails, datas;
  for (int i = 0; i < count; ++i) {
    datas.push_back(maker.write(0, data));
    tails.push_back(maker.write(0, tail));
    maker.read(0, tail, tails.back());
  }
  for (int i = 0; i < count; ++i) {
    maker.read(1, tail, tails[static_cast<std::size_t>(i)]);
    maker.read(1, data, datas[static_cast<std::size_t>(i == stale ? i - 1 : i)]);
  }
  return maker.make();
}

TEST(ScEquivalence, TenThousandOperationsTakeTenMilliseconds) {
  for (const int stale : {-1, 1500}) {
    const Operations operations = long_queue(2000, stale);
    ASSERT_EQ(operations.size(), 10'000);
    for (const bool infers : {false, true}) {
      ScEquivalence equivalence;
      equivalence.set_inferring_always(infers);
      double best = 1;
      for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        ASSERT_EQ(equivalence.decide(operations), stale < 0 ? Sc::kYes : Sc::kNo);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
      EXPECT_EQ(equivalence.assumptions(), 0U);
      std::printf("%d operations, stale %d, infers %d: %.2f ms\n", operations.size(), stale, infers, best * 1e3);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
      EXPECT_LT(best, 0.02);  // twice the goal: tests share the machine
#endif
    }
  }
}

}  // namespace
}  // namespace ordeal::analysis
