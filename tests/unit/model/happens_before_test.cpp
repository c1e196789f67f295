#include "model/happens_before.h"

#include <gtest/gtest.h>

#include "builder.h"
#include "dump.h"
#include "tests/support/naive.h"
#include "tests/support/random_graph.h"

namespace ordeal::model::testing {
namespace {

// --- program order and initial writes --------------------------------------------------------------------------------

TEST(HappensBefore, IsProgramOrderInAThread) {
  Builder graph;
  const Slot a = graph.store(0, x, kPlain), b = graph.fence(0, kRelease), c = graph.load(0, y, initial(y));
  EXPECT_TRUE(graph.hb(a, b));
  EXPECT_TRUE(graph.hb(b, c));
  EXPECT_TRUE(graph.hb(a, c));
  EXPECT_FALSE(graph.hb(c, a));
  EXPECT_TRUE(graph.hb(a, a));  // "or is"
}

TEST(HappensBefore, DoesNotOrderThreadsThatDoNotCommunicate) {
  Builder graph;
  const Slot a = graph.store(0, x, kSeqCst), b = graph.store(1, x, kSeqCst);
  EXPECT_TRUE(graph.unordered(a, b));
}

TEST(HappensBefore, InitialWritesComeBeforeEverything) {
  Builder graph;
  const Slot a = graph.store(2, x);
  EXPECT_TRUE(graph.hb(initial(x), a));
  EXPECT_TRUE(graph.hb(initial(y), a));
  EXPECT_FALSE(graph.hb(a, initial(y)));
}

// --- release and acquire ---------------------------------------------------------------------------------------------

/// Message passing: whether the first store of P0 happens before P1's load of the flag.
bool synchronises(MemoryOrder store, MemoryOrder load) {
  Builder graph;
  const Slot data = graph.store(0, x, kPlain);
  const Slot flag = graph.store(0, y, store);
  const Slot seen = graph.load(1, y, flag, load);
  EXPECT_EQ(graph.hb(data, seen), graph.hb(flag, seen));
  EXPECT_FALSE(graph.hb(seen, data));
  return graph.hb(data, seen);
}

TEST(HappensBefore, NeedsAReleasingStoreAndAnAcquiringLoad) {
  for (const MemoryOrder store : {kPlain, kRelaxed, kRelease, kSeqCst})
    for (const MemoryOrder load : {kPlain, kRelaxed, kAcquire, kSeqCst})
      EXPECT_EQ(synchronises(store, load), (store == kRelease || store == kSeqCst) && (load == kAcquire || load == kSeqCst));
}

/// [thread.sharedmutex.requirements]
TEST(HappensBefore, ReadersOfALockSynchroniseWithWritersOnly) {
  Builder graph;
  const auto lock = [&](int thread, Slot from) { return graph.sync(thread, x, from, RmwFunction::kCompareExchange, kAcquire); };
  const auto unlock = [&](int thread, Slot from) { return graph.sync(thread, x, from, RmwFunction::kUnlock, kRelease, 0); };
  const auto lock_shared = [&](int thread, Slot from) { return graph.sync(thread, x, from, RmwFunction::kLockShared, kAcquire); };
  const auto unlock_shared = [&](int thread, Slot from) { return graph.sync(thread, x, from, RmwFunction::kSub, kRelease, 2); };
  const Slot written = unlock(0, lock(0, initial(x)));
  const Slot first = lock_shared(1, written), first_end = unlock_shared(1, first);
  const Slot second = lock_shared(2, first_end), fence = graph.fence(2, kAcquire), second_end = unlock_shared(2, second);
  const Slot writer = lock(3, second_end);
  EXPECT_TRUE(graph.hb(written, first));
  EXPECT_TRUE(graph.hb(written, second));
  EXPECT_FALSE(graph.hb(first_end, second));
  EXPECT_FALSE(graph.hb(first_end, fence));
  EXPECT_TRUE(graph.hb(first_end, writer));
  EXPECT_TRUE(graph.hb(second_end, writer));
}

/// Each who leaves a barrier is behind all who arrived; to be woken by a condition variable orders nothing.
TEST(HappensBefore, ABarrierSynchronisesAndAWakeUpDoesNot) {
  for (const MemoryOrder order : {kAcquire, kRelaxed}) {
    Builder graph;
    const Slot one = graph.sync(0, x, initial(x), RmwFunction::kAdd, kAcqRel), two = graph.sync(1, x, one, RmwFunction::kAdd, kAcqRel);
    const Slot last = graph.sync(2, x, two, RmwFunction::kAdd, kAcqRel), gone_on = graph.wake(0, x, last, order);
    EXPECT_TRUE(graph.porf(last, gone_on));
    EXPECT_EQ(graph.hb(two, gone_on), order == kAcquire);
    EXPECT_EQ(graph.hb(last, gone_on), order == kAcquire);
  }
}

TEST(HappensBefore, ReadingTheInitialValueSynchronisesWithNothing) {
  Builder graph;
  const Slot data = graph.store(0, x, kPlain);
  graph.store(0, y, kRelease);
  EXPECT_FALSE(graph.hb(data, graph.load(1, y, initial(y), kAcquire)));
}

TEST(HappensBefore, IsTransitiveOverThreeThreads) {
  Builder graph;
  const Slot data = graph.store(0, x, kPlain);
  const Slot first = graph.store(0, y, kRelease);
  graph.load(1, y, first, kAcquire);
  const Slot second = graph.store(1, z, kRelease);
  const Slot end = graph.load(2, z, second, kAcquire);
  EXPECT_TRUE(graph.hb(data, end));
  EXPECT_TRUE(graph.hb(first, end));
}

TEST(HappensBefore, AReleaseStoreDoesNotPublishWhatItsThreadDoesLater) {
  Builder graph;
  const Slot flag = graph.store(0, y, kRelease);
  const Slot after = graph.store(0, x, kPlain);
  EXPECT_FALSE(graph.hb(after, graph.load(1, y, flag, kAcquire)));
}

TEST(HappensBefore, AFailedCompareExchangeAcquiresByItsFailureOrder) {
  for (const MemoryOrder failure : {kRelaxed, kAcquire, kSeqCst}) {
    Builder graph;
    const Slot data = graph.store(0, x, kPlain);
    const Slot flag = graph.store(0, y, kRelease);
    const Slot seen = graph.failing_exchange(1, y, flag, failure);
    EXPECT_EQ(graph.graph.event(seen).order, failure);
    EXPECT_EQ(graph.hb(data, seen), failure != kRelaxed);
  }
}

// --- release sequences, [intro.races]p5 --------------------------------------------------------------------------------

TEST(ReleaseSequence, ALaterRelaxedStoreOfTheSameThreadIsNotPartOfIt) {
  Builder graph;
  const Slot data = graph.store(0, x, kPlain);
  const Slot head = graph.store(0, y, kRelease);
  const Slot later = graph.store(0, y, kRelaxed, 2);
  EXPECT_FALSE(graph.hb(data, graph.load(1, y, later, kAcquire)));
  EXPECT_TRUE(graph.hb(data, graph.load(2, y, head, kAcquire)));
}

TEST(ReleaseSequence, ContinuesThroughReadModifyWritesOfAnyThreadAndOrder) {
  for (const MemoryOrder order : {kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst}) {
    Builder graph;
    const Slot data = graph.store(0, x, kPlain);
    const Slot head = graph.store(0, y, kRelease);
    const Slot first = graph.rmw(1, y, head, order);
    const Slot second = graph.rmw(2, y, first, kRelaxed);
    const Slot end = graph.load(3, y, second, kAcquire);
    EXPECT_TRUE(graph.hb(data, end));
    EXPECT_TRUE(graph.hb(head, end));
    // The RMW itself is published only if it releases too.
    EXPECT_EQ(graph.hb(first, end), order == kRelease || order == kAcqRel || order == kSeqCst);
    EXPECT_FALSE(graph.hb(second, end));
    EXPECT_EQ(graph.hb(data, first), order == kAcquire || order == kAcqRel || order == kSeqCst);
  }
}

TEST(ReleaseSequence, EndsAtAStoreBetweenTheReadModifyWrites) {
  Builder graph;
  const Slot data = graph.store(0, x, kPlain);
  const Slot head = graph.store(0, y, kRelease);
  graph.rmw(1, y, head, kRelaxed);
  const Slot other = graph.store(1, y, kRelaxed, 7);
  const Slot last = graph.rmw(2, y, other, kRelaxed);
  EXPECT_FALSE(graph.hb(data, graph.load(3, y, last, kAcquire)));
}

TEST(ReleaseSequence, OfTheInitialWriteIsEmpty) {
  Builder graph;
  const Slot data = graph.store(0, x, kPlain);
  const Slot rmw = graph.rmw(0, y, initial(y), kRelaxed);
  EXPECT_FALSE(graph.hb(data, graph.load(1, y, rmw, kAcquire)));
}

TEST(ReleaseSequence, AFailedCompareExchangeIsNotPartOfIt) {
  Builder graph;
  const Slot head = graph.store(0, y, kRelease);
  const Slot failed = graph.failing_exchange(1, y, head, kRelaxed);
  const Slot seen = graph.load(2, y, head, kAcquire);
  EXPECT_TRUE(graph.hb(head, seen));
  EXPECT_TRUE(graph.unordered(failed, seen));
}

// --- fences, [atomics.fences] ------------------------------------------------------------------------------------------

struct FencePair {
  bool release_by_fence, acquire_by_fence;
};

class Fences : public ::testing::TestWithParam<FencePair> {};

/// data; (fence;) flag  ∥  flag (; fence): whether data happens before the end of P1, for orders of the fences.
bool fenced(FencePair by, MemoryOrder release_order, MemoryOrder acquire_order, MemoryOrder store = kRelaxed,
            MemoryOrder load = kRelaxed) {
  Builder graph;
  const Slot data = graph.store(0, x, kPlain);
  if (by.release_by_fence) graph.fence(0, release_order);
  const Slot flag = graph.store(0, y, by.release_by_fence ? store : release_order);
  const Slot seen = graph.load(1, y, flag, by.acquire_by_fence ? load : acquire_order);
  if (by.acquire_by_fence) {
    EXPECT_FALSE(graph.hb(data, seen));
    graph.fence(1, acquire_order);
  }
  return graph.hb(data, graph.graph.last());
}

TEST_P(Fences, SynchroniseInAllCombinations) {
  EXPECT_TRUE(fenced(GetParam(), kRelease, kAcquire));
  EXPECT_TRUE(fenced(GetParam(), kSeqCst, kSeqCst));
  if (GetParam().release_by_fence) {
    EXPECT_TRUE(fenced(GetParam(), kAcqRel, kAcquire));
  }
  if (GetParam().acquire_by_fence) {
    EXPECT_TRUE(fenced(GetParam(), kRelease, kAcqRel));
  }
}

TEST_P(Fences, OfTheWrongKindDoNot) {
  if (GetParam().release_by_fence) {
    EXPECT_FALSE(fenced(GetParam(), kAcquire, kAcquire));
  }
  if (GetParam().acquire_by_fence) {
    EXPECT_FALSE(fenced(GetParam(), kRelease, kRelease));
  }
}

TEST_P(Fences, DoNotSynchroniseThroughPlainAccesses) {
  if (GetParam().release_by_fence) {
    EXPECT_FALSE(fenced(GetParam(), kSeqCst, kSeqCst, kPlain, kRelaxed));
  }
  if (GetParam().acquire_by_fence) {
    EXPECT_FALSE(fenced(GetParam(), kSeqCst, kSeqCst, kRelaxed, kPlain));
  }
}

INSTANTIATE_TEST_SUITE_P(AllCombinations, Fences,
                         ::testing::Values(FencePair{false, false}, FencePair{false, true}, FencePair{true, false},
                                           FencePair{true, true}),
                         [](const ::testing::TestParamInfo<FencePair>& pair) {
                           return std::string(pair.param.release_by_fence ? "ReleaseFence" : "ReleaseStore") +
                                  (pair.param.acquire_by_fence ? "AcquireFence" : "AcquireLoad");
                         });

TEST(HappensBeforeByFences, AReleaseFencePublishesOnlyWhatComesBeforeIt) {
  Builder graph;
  const Slot before = graph.store(0, x, kPlain);
  graph.fence(0, kRelease);
  const Slot between = graph.store(0, z, kPlain);
  const Slot flag = graph.store(0, y, kRelaxed);
  const Slot seen = graph.load(1, y, flag, kAcquire);
  EXPECT_TRUE(graph.hb(before, seen));
  EXPECT_FALSE(graph.hb(between, seen));
}

TEST(HappensBeforeByFences, ALaterReleaseFenceCoversMore) {
  Builder graph;
  graph.fence(0, kRelease);
  const Slot between = graph.store(0, x, kPlain);
  graph.fence(0, kRelease);
  const Slot flag = graph.store(0, y, kRelaxed);
  EXPECT_TRUE(graph.hb(between, graph.load(1, y, flag, kAcquire)));
}

TEST(HappensBeforeByFences, AReleaseFenceWorksThroughTheReleaseSequenceOfALaterStore) {
  Builder graph;
  const Slot data = graph.store(0, x, kPlain);
  graph.fence(0, kRelease);
  const Slot flag = graph.store(0, y, kRelaxed);
  const Slot rmw = graph.rmw(1, y, flag, kRelaxed);
  EXPECT_TRUE(graph.hb(data, graph.load(2, y, rmw, kAcquire)));
}

TEST(HappensBeforeByFences, AnAcquireFenceLearnsFromEveryEarlierReadAndNotOnlyTheLast) {
  Builder graph;
  const Slot first = graph.store(0, x, kRelease), second = graph.store(1, y, kRelease);
  graph.load(2, x, first);
  graph.load(2, y, second);
  const Slot fence = graph.fence(2, kAcquire);
  EXPECT_TRUE(graph.hb(first, fence));
  EXPECT_TRUE(graph.hb(second, fence));
  // A second fence still knows it, and what was read between.
  const Slot third = graph.store(3, z, kRelease);
  graph.load(2, z, third);
  const Slot again = graph.fence(2, kAcquire);
  EXPECT_TRUE(graph.hb(first, again));
  EXPECT_TRUE(graph.hb(third, again));
  EXPECT_FALSE(graph.hb(third, fence));
}

TEST(HappensBeforeByFences, AReleaseFenceBetweenReadAndAcquireFenceHidesNothing) {
  Builder graph;
  const Slot flag = graph.store(0, x, kRelease);
  graph.load(1, x, flag);
  graph.fence(1, kRelease);
  EXPECT_TRUE(graph.hb(flag, graph.fence(1, kAcquire)));
}

TEST(HappensBeforeByFences, AnAcquireFenceBeforeTheReadLearnsNothing) {
  Builder graph;
  const Slot flag = graph.store(0, x, kRelease);
  graph.fence(1, kAcquire);
  EXPECT_TRUE(graph.unordered(flag, graph.load(1, x, flag)));
}

// --- threads -------------------------------------------------------------------------------------------------------------

TEST(HappensBeforeByThreads, CreationComesBeforeAllOfTheThread) {
  Builder graph;
  const Slot before = graph.store(0, x, kPlain), create = graph.create(0, 1), after = graph.store(0, x, kPlain);
  const Slot first = graph.store(1, y), second = graph.store(1, y);
  EXPECT_TRUE(graph.hb(before, first));
  EXPECT_TRUE(graph.hb(create, second));
  EXPECT_TRUE(graph.unordered(after, first));
  EXPECT_TRUE(graph.porf(before, first));
  EXPECT_FALSE(graph.porf(after, second));
}

TEST(HappensBeforeByThreads, AllOfAThreadComesBeforeItsJoin) {
  Builder graph;
  graph.create(0, 1);
  const Slot last = graph.store(1, x, kPlain);
  const Slot before = graph.store(0, y), join = graph.join(0, 1), after = graph.load(0, x, last, kPlain);
  EXPECT_TRUE(graph.hb(last, join));
  EXPECT_TRUE(graph.hb(last, after));
  EXPECT_TRUE(graph.unordered(last, before));
  EXPECT_TRUE(graph.porf(last, join));
}

TEST(HappensBeforeByThreads, JoiningAThreadThatDidNothingOrdersItsCreation) {
  Builder graph;
  const Slot before = graph.store(0, x, kPlain);
  graph.create(0, 1);
  EXPECT_TRUE(graph.hb(before, graph.join(2, 1)));
}

TEST(HappensBeforeByThreads, AThreadJoinedByAThirdPublishesWhatItLearned) {
  Builder graph;
  const Slot data = graph.store(3, x, kRelease);
  graph.create(0, 1);
  graph.load(1, x, data, kAcquire);
  EXPECT_TRUE(graph.hb(data, graph.join(2, 1)));
}

// --- porf ------------------------------------------------------------------------------------------------------------------

TEST(Porf, FollowsRelaxedAndPlainReadsWhichHappensBeforeDoesNot) {
  for (const MemoryOrder order : {kPlain, kRelaxed}) {
    Builder graph;
    const Slot data = graph.store(0, x, order), flag = graph.store(0, y, order);
    const Slot seen = graph.load(1, y, flag, order), next = graph.store(1, z, order);
    EXPECT_TRUE(graph.porf(data, seen));
    EXPECT_TRUE(graph.porf(flag, next));
    EXPECT_TRUE(graph.unordered(data, next));
    EXPECT_FALSE(graph.porf(seen, flag));
  }
}

TEST(Porf, ContainsHappensBefore) {
  Builder graph;
  const Slot data = graph.store(0, x, kPlain);
  graph.fence(0, kRelease);
  const Slot flag = graph.store(0, y);
  graph.load(1, y, flag);
  const Slot fence = graph.fence(1, kAcquire);
  EXPECT_TRUE(graph.hb(data, fence));
  EXPECT_TRUE(graph.porf(data, fence));
}

// --- all of it -------------------------------------------------------------------------------------------------------------

/// Every row of hb and porf of random graphs counts what the definition says.
void rows_are_those_of_the_definition(const Shape& shape, int rounds) {
  for (int seed = 0; seed < scaled(rounds); ++seed) {
    RandomGraph random(shape, static_cast<std::uint64_t>(seed));
    random.grow();
    const Naive naive(random.graph);
    for (int i = 0; i < random.graph.size(); ++i)
      for (int j = 0; j < random.graph.size(); ++j) {
        const Slot a{i}, b{j};
        const bool hb = i == j || naive.hb()(naive.id(a), naive.id(b));
        ASSERT_EQ(random.graph.happens_before(a, b), hb) << "seed " << seed << ", " << i << ", " << j << dump(random.graph);
        ASSERT_EQ(random.graph.porf_before(a, b), naive.porf(naive.id(a), naive.id(b)))
            << "seed " << seed << ", " << i << ", " << j << dump(random.graph);
      }
  }
}

TEST(HappensBefore, EqualsItsDefinitionOnRandomGraphs) {
  rows_are_those_of_the_definition({.threads = 4, .locations = 3, .events = 24, .writes = 8, .seq_cst = 10}, 1500);
}

TEST(HappensBefore, EqualsItsDefinitionOnRandomGraphsWithThreadsThatAreCreatedAndJoined) {
  rows_are_those_of_the_definition({.threads = 6, .locations = 3, .events = 24, .writes = 8, .children = 20}, 1500);
}

}  // namespace
}  // namespace ordeal::model::testing
