#include "model/coherence.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "builder.h"
#include "dump.h"
#include "model/atomicity.h"
#include "model/thin_air.h"
#include "tests/support/naive.h"
#include "tests/support/random_graph.h"

namespace ordeal::model::testing {
namespace {

using ::testing::TestWithParam;

/// Coherence is the same in both models without modification order.
class Coherence : public TestWithParam<Model> {};

std::string model_name(const ::testing::TestParamInfo<Model>& model) { return std::string(name_of(model.param)); }
INSTANTIATE_TEST_SUITE_P(Models, Coherence, ::testing::Values(Model::kCpp20, Model::kRc11), model_name);

// --- the four shapes, [intro.races]p13–p16 -----------------------------------------------------------------------------

TEST_P(Coherence, CoWWStoresOfAThreadAreInProgramOrder) {
  Builder graph(GetParam());
  const Slot a = graph.store(0, x), b = graph.store(0, x);
  EXPECT_TRUE(graph.forced(a, b));
  graph.load(1, x, b);
  EXPECT_FALSE(graph.may_load(1, x, a));
}

TEST_P(Coherence, CoRRReadsOfAThreadDoNotGoBack) {
  Builder graph(GetParam());
  const Slot a = graph.store(0, x), b = graph.store(0, x);
  graph.load(1, x, b);
  EXPECT_TRUE(graph.may_load(1, x, b));
  EXPECT_FALSE(graph.may_load(1, x, a));
  EXPECT_FALSE(graph.may_load(1, x, initial(x)));
  EXPECT_TRUE(graph.may_load(2, x, a));
}

TEST_P(Coherence, CoRRTwoReadersAgreeOnTheOrderOfBlindStores) {
  Builder graph(GetParam());
  const Slot a = graph.store(0, x), b = graph.store(1, x);
  graph.load(2, x, a);
  graph.load(2, x, b);
  graph.load(3, x, b);
  EXPECT_FALSE(graph.may_load(3, x, a));
}

TEST_P(Coherence, CoRWAStoreComesBehindWhatItsThreadHasRead) {
  Builder graph(GetParam());
  const Slot a = graph.store(0, x);
  graph.load(1, x, a);
  const Slot b = graph.store(1, x);
  graph.load(2, x, b);
  EXPECT_FALSE(graph.may_load(2, x, a));
}

TEST_P(Coherence, CoWRALoadDoesNotSkipAStoreThatHappensBeforeIt) {
  Builder graph(GetParam());
  const Slot a = graph.store(0, x), b = graph.store(0, x);
  const Slot flag = graph.store(0, y, kRelease);
  graph.load(1, y, flag, kAcquire);
  EXPECT_FALSE(graph.may_load(1, x, initial(x)));
  EXPECT_FALSE(graph.may_load(1, x, a));
  EXPECT_TRUE(graph.may_load(1, x, b));
}

TEST_P(Coherence, CoWRALoadMayReadAStoreThatIsNotOrderedWithItsOwn) {
  Builder graph(GetParam());
  const Slot other = graph.store(1, x), own = graph.store(0, x);
  EXPECT_TRUE(graph.may_load(0, x, other));
  EXPECT_TRUE(graph.may_load(0, x, own));
  EXPECT_FALSE(graph.may_load(0, x, initial(x)));
}

// --- further shapes ------------------------------------------------------------------------------------------------------

TEST_P(Coherence, ALoadWithoutSynchronisationMaySeeStaleStores) {
  Builder graph(GetParam());
  const Slot data = graph.store(0, x), flag = graph.store(0, y);
  graph.load(1, y, flag);  // relaxed
  EXPECT_TRUE(graph.may_load(1, x, initial(x)));
  EXPECT_TRUE(graph.may_load(1, x, data));
}

TEST_P(Coherence, WhatAnotherThreadHasReadBindsThoseItSynchronisesWith) {
  Builder graph(GetParam());
  const Slot a = graph.store(0, x), b = graph.store(0, x);
  graph.load(1, x, b);
  const Slot flag = graph.store(1, y, kRelease);
  graph.load(2, y, flag, kAcquire);
  EXPECT_FALSE(graph.may_load(2, x, a));
  EXPECT_TRUE(graph.may_load(2, x, b));
}

TEST_P(Coherence, AcquiringReadLearnsItsFloorsForTheNextReadOfTheLocation) {
  Builder graph(GetParam());
  const Slot a = graph.store(0, x), b = graph.store(0, x, kRelease);
  EXPECT_TRUE(graph.may_load(1, x, a, kAcquire));
  graph.load(1, x, b, kAcquire);
  EXPECT_FALSE(graph.may_load(1, x, a));
}

TEST_P(Coherence, PlainAccessesAreCoherentToo) {
  Builder graph(GetParam());
  const Slot a = graph.store(0, x, kPlain), b = graph.store(0, x, kPlain);
  EXPECT_FALSE(graph.may_load(0, x, a, kPlain));
  EXPECT_TRUE(graph.may_load(0, x, b, kPlain));
}

TEST_P(Coherence, SourcesAreTheInitialWriteAndAllThatNothingHides) {
  Builder graph(GetParam());
  EXPECT_EQ(graph.sources(0, x), (std::vector<Slot>{initial(x)}));
  const Slot a = graph.store(0, x), b = graph.store(0, x), c = graph.store(1, x);
  EXPECT_EQ(graph.sources(0, x), (std::vector<Slot>{c, b}));
  EXPECT_EQ(graph.sources(1, x), (std::vector<Slot>{c, b, a}));
  EXPECT_EQ(graph.sources(2, x), (std::vector<Slot>{initial(x), c, b, a}));
  EXPECT_EQ(graph.sources(2, y), (std::vector<Slot>{initial(y)}));
}

// --- floors -----------------------------------------------------------------------------------------------------------------

TEST(Floors, AreTheLastAccessOfEachThreadThatHappensBefore) {
  Builder graph;
  const Slot old = graph.store(0, x), newer = graph.store(0, x), flag = graph.store(0, y, kRelease);
  const Slot unseen = graph.store(0, x), other = graph.store(2, x);
  Floors floors;
  floors.compute(graph.graph, ThreadId{1}, LocationId{x});
  EXPECT_EQ(floors.size(), 0);
  graph.load(1, y, flag, kAcquire);
  floors.compute(graph.graph, ThreadId{1}, LocationId{x});
  ASSERT_EQ(floors.size(), 1);
  EXPECT_EQ(floors.data()[0], newer);
  EXPECT_FALSE(floors.allow(graph.graph, old));
  EXPECT_TRUE(floors.allow(graph.graph, newer));
  EXPECT_TRUE(floors.allow(graph.graph, unseen));
  EXPECT_TRUE(floors.allow(graph.graph, other));
  floors.force(graph.graph, other);
  EXPECT_TRUE(graph.forced(newer, other));
  EXPECT_TRUE(graph.open(unseen, other));
}

TEST(Floors, OfAReadAreWhatItReadsButForTheInitialWrite) {
  Builder graph;
  const Slot a = graph.store(0, x);
  Floors floors;
  graph.load(1, x, initial(x));
  floors.compute(graph.graph, ThreadId{1}, LocationId{x});
  EXPECT_EQ(floors.size(), 0);
  const Slot read = graph.load(1, x, a);
  EXPECT_EQ(position_of(graph.graph, read), a);
  EXPECT_EQ(position_of(graph.graph, a), a);
  floors.compute(graph.graph, ThreadId{1}, LocationId{x});
  ASSERT_EQ(floors.size(), 1);
  EXPECT_EQ(floors.data()[0], a);
}

TEST(Floors, OfANewThreadAreThoseOfItsCreation) {
  Builder graph;
  const Slot a = graph.store(0, x);
  graph.create(0, 1);
  Floors floors;
  floors.compute(graph.graph, ThreadId{1}, LocationId{x});
  ASSERT_EQ(floors.size(), 1);
  EXPECT_EQ(floors.data()[0], a);
  EXPECT_FALSE(graph.may_load(1, x, initial(x)));
}

// --- atomicity --------------------------------------------------------------------------------------------------------------

class Atomicity : public TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(Models, Atomicity, ::testing::Values(Model::kCpp20, Model::kRc11, Model::kSc, Model::kTso), model_name);

TEST_P(Atomicity, TwoReadModifyWritesDoNotReadTheSameWrite) {
  Builder graph(GetParam());
  const Slot first = graph.rmw(0, x, initial(x));
  EXPECT_FALSE(graph.may_rmw(1, x, initial(x)));
  EXPECT_TRUE(graph.may_rmw(1, x, first));
  EXPECT_EQ(graph.graph.event(first).value, 1);
}

TEST_P(Atomicity, AWriteThatIsBuiltUponIsTaken) {
  Builder graph(GetParam());
  const Slot a = graph.store(0, x);
  EXPECT_FALSE(graph.consistency.is_taken(graph.graph, a));
  EXPECT_FALSE(graph.consistency.is_taken(graph.graph, initial(x)));
  const Slot u = graph.rmw(1, x, a);
  EXPECT_TRUE(graph.consistency.is_taken(graph.graph, a));
  EXPECT_FALSE(graph.consistency.is_taken(graph.graph, u));
  EXPECT_FALSE(graph.consistency.is_taken(graph.graph, initial(x)));
  graph.graph.pop();
  EXPECT_FALSE(graph.consistency.is_taken(graph.graph, a));
}

TEST_P(Atomicity, TheReadOfAReadModifyWriteMayReadATakenWriteUntilItsOwnWriteComes) {
  Builder graph(GetParam());
  graph.rmw(0, x, initial(x));
  const int size = graph.graph.size();
  EXPECT_FALSE(graph.may_rmw(1, x, initial(x)));
  EXPECT_EQ(graph.graph.size(), size);
  EXPECT_TRUE(graph.may_load(1, x, initial(x)));
}

TEST(AtomicityOfChains, OnlyTheLastWriteOfAChainMayBeBuiltUpon) {
  Builder graph;
  const Slot a = graph.store(0, x), u = graph.rmw(1, x, a), v = graph.rmw(2, x, u);
  EXPECT_FALSE(may_be_built_upon(graph.graph, a));
  EXPECT_FALSE(may_be_built_upon(graph.graph, u));
  EXPECT_TRUE(may_be_built_upon(graph.graph, v));
  EXPECT_TRUE(may_be_built_upon(graph.graph, initial(x)));
}

TEST(AtomicityOfChains, AStoreCannotComeBetweenAReadModifyWriteAndItsSource) {
  Builder graph;
  const Slot a = graph.store(0, x), b = graph.store(1, x);
  graph.rmw(2, x, a);
  graph.load(3, x, a);
  graph.load(3, x, b);                       // a before b, so the RMW too
  EXPECT_FALSE(graph.may_load(3, x, graph.graph.last_here(LocationId{x}, ThreadId{2})));
}

// --- links ------------------------------------------------------------------------------------------------------------------

TEST(LastAccess, BelowABoundIsTheOneThatAWalkFinds) {
  Builder graph;
  for (int i = 0; i < 150; ++i) graph.store(0, i % 3 == 0 ? y : x);
  for (int bound = 0; bound <= 151; ++bound) {
    Slot expected = graph.graph.last_here(LocationId{x}, ThreadId{0});
    while (expected != kNone && graph.graph.event(expected).index >= bound) expected = graph.graph.event(expected).previous_here;
    EXPECT_EQ(graph.graph.last_here_below(LocationId{x}, ThreadId{0}, bound), expected) << bound;
  }
}

// --- thin air ---------------------------------------------------------------------------------------------------------------

TEST(NoThinAir, AReadMayNotReadAWriteThatDependsOnIt) {
  Builder graph;
  const Slot r = graph.load(0, x, initial(x)), other = graph.load(2, x, initial(x));
  const Slot a = graph.store(0, y);
  graph.load(1, y, a);
  const Slot w = graph.store(1, x);
  EXPECT_FALSE(may_read_later_write(graph.graph, r, w));
  EXPECT_TRUE(may_read_later_write(graph.graph, other, w));
}

// --- against the definition -----------------------------------------------------------------------------------------------

/// Without seq_cst events `sources` is exact: coherence and atomicity are all there is.
TEST(Coherence, SourcesAreThoseThatSomeModificationOrderAllowsOnRandomGraphs) {
  int refused = 0, offered = 0;
  for (int seed = 0; seed < scaled(1000); ++seed) {
    RandomGraph random({.threads = 3, .locations = 2, .events = 14, .writes = 5}, static_cast<std::uint64_t>(seed));
    random.grow();
    Access access;
    access.kind = EventKind::kRead;
    access.thread = ThreadId{seed % 3};
    access.location = LocationId{seed / 3 % 2};
    access.order = seed % 5 < 2 ? kAcquire : kRelaxed;
    const Slot last = random.graph.last_of(access.thread);
    if (last != kNone && random.graph.event(last).is_rmw && random.graph.event(last).kind == EventKind::kRead) continue;
    std::vector<Slot> sources;
    random.consistency.sources(random.graph, access, sources);
    std::vector<Slot> writes{initial_write(access.location)};
    for (Slot at = random.graph.last_write(access.location); at != kNone; at = random.graph.event(at).previous_at_location)
      writes.push_back(at);
    for (const Slot write : writes) {
      const bool is_offered = std::find(sources.begin(), sources.end(), write) != sources.end();
      Event read = Consistency::make_read(random.graph, access, write, false);
      read.stamp = 1'000'000;
      random.graph.push(read);
      ASSERT_EQ(is_offered, Naive(random.graph).coherent_for_some_mo())
          << "seed " << seed << ", write " << number(write) << dump(random.graph);
      random.graph.pop();
      (is_offered ? offered : refused) += 1;
    }
  }
  expect_to_occur(refused, 1000);
  expect_to_occur(offered, 1000);
}

}  // namespace
}  // namespace ordeal::model::testing
