// What may be read, by hand: each rule with a case that it forbids, and one nearby that it allows.
#include "sample/memory.h"

#include "tests/unit/sample/steps.h"

namespace ordeal::sample::testing {
namespace {

// --- coherence and synchronisation ---------------------------------------------------------------------------------------------

TEST(MemoryTest, EverythingMayBeReadByThreadsThatKnowNothing) {
  Steps s;
  const StoreId a = s.store(1, x), b = s.store(1, x), c = s.store(2, x);
  EXPECT_EQ(s.readable(3, x), (std::set{s.initial(x), a, b, c}));
  EXPECT_EQ(s.readable(1, x), (std::set{b, c})) << "its own stores hide older ones";
}

TEST(MemoryTest, LoadCannotGoBackBehindWhatItsThreadHasRead) {
  Steps s;
  const StoreId a = s.store(1, x), b = s.store(1, x);
  s.load(2, x, a);
  EXPECT_EQ(s.readable(2, x), (std::set{a, b}));
}

TEST(MemoryTest, AcquiringFromAReleaseHidesWhatIsOlder) {
  for (const MemoryOrder store : {kRelaxed, kRelease, kSeqCst})
    for (const MemoryOrder load : {kRelaxed, kAcquire, kSeqCst}) {
      Steps s;
      const StoreId data = s.store(1, x);
      s.load(2, y, s.store(1, y, store), load);
      EXPECT_EQ(s.may_read(2, x, s.initial(x)), store == kRelaxed || load == kRelaxed);
      EXPECT_TRUE(s.may_read(2, x, data));
      EXPECT_TRUE(s.may_read(3, x, s.initial(x))) << "others know nothing of it";
    }
}

TEST(MemoryTest, WhatWasReadBeforeAReleaseIsPartOfIt) {
  Steps s;
  const StoreId a = s.store(1, x);
  s.load(2, x, a);
  s.load(3, y, s.store(2, y, kRelease), kAcquire);
  EXPECT_EQ(s.readable(3, x), std::set{a});
}

TEST(MemoryTest, WhatComesBehindAReleaseIsNoPartOfIt) {
  Steps s;
  const StoreId flag = s.store(1, y, kRelease);
  s.store(1, x);
  s.load(2, y, flag, kAcquire);
  EXPECT_TRUE(s.may_read(2, x, s.initial(x)));
}

TEST(MemoryTest, ReleaseSequenceGoesOnThroughRmwsOfOthers) {
  Steps s;
  s.store(1, x);
  const StoreId head = s.store(1, y, kRelease);
  const StoreId second = s.rmw(2, y, head), third = s.rmw(3, y, second);
  s.load(4, y, third, kAcquire);
  EXPECT_FALSE(s.may_read(4, x, s.initial(x)));
}

TEST(MemoryTest, ReleaseSequenceEndsAtAStoreOfTheSameThread) {  // C++20
  Steps s;
  s.store(1, x);
  s.store(1, y, kRelease);
  s.load(2, y, s.store(1, y), kAcquire);
  EXPECT_TRUE(s.may_read(2, x, s.initial(x)));
}

TEST(MemoryTest, RmwThatReleasesPublishesBothWhatItInheritsAndItsOwn) {
  Steps s;
  s.store(1, x);
  s.store(2, z);
  s.load(3, y, s.rmw(2, y, s.store(1, y, kRelease), kRelease), kAcquire);
  EXPECT_FALSE(s.may_read(3, x, s.initial(x)));
  EXPECT_FALSE(s.may_read(3, z, s.initial(z)));
  EXPECT_TRUE(s.may_read(2, x, s.initial(x))) << "the RMW itself has not acquired";
}

TEST(MemoryTest, WhoKnowsOneOfTwoReleasersStillLearnsFromTheOther) {
  Steps s;
  s.store(1, x);
  const StoreId head = s.store(1, y, kRelease);
  s.store(2, z);
  const StoreId both = s.rmw(2, y, head, kRelease);
  s.load(3, y, s.rmw(2, y, both, kRelease), kAcquire);
  EXPECT_FALSE(s.may_read(3, x, s.initial(x)));
  s.load(4, y, head, kAcquire);
  s.load(4, y, both, kAcquire);
  EXPECT_FALSE(s.may_read(4, z, s.initial(z)));
}

TEST(MemoryTest, WhatAThreadHasLearntSinceItsLastReleaseIsPartOfTheNext) {
  for (const bool by_fence : {false, true}) {
    Steps s;
    s.store(1, z, kRelease);
    s.store(2, x);
    s.load(1, y, s.store(2, y, kRelease), by_fence ? kRelaxed : kAcquire);
    if (by_fence) s.fence(1, kAcquire);
    s.load(3, z, s.store(1, z, kRelease), kAcquire);
    EXPECT_FALSE(s.may_read(3, x, s.initial(x))) << by_fence;
  }
}

/// Two releases in one: the second one's thread is known already, the first one's is not.
TEST(MemoryTest, KnowingWhoPublishedLastIsNotKnowingAll) {
  for (const int how : {0, 1, 2}) {
    Steps s;
    s.store(1, x);
    const StoreId both = s.rmw(2, y, s.store(1, y, kRelease), kRelease);
    const StoreId later = s.store(2, z, kRelease);
    s.load(3, z, later, how == 2 ? kRelaxed : kAcquire);
    EXPECT_TRUE(s.may_read(3, x, s.initial(x)));
    s.load(3, y, both, how == 0 ? kAcquire : kRelaxed);
    if (how > 0) s.fence(3, kAcquire);
    EXPECT_FALSE(s.may_read(3, x, s.initial(x))) << how;
  }
}

// --- fences ----------------------------------------------------------------------------------------------------------------------

TEST(MemoryTest, FencesSynchroniseInAllCombinations) {
  for (const MemoryOrder first : {kAcquire, kRelease, kAcqRel, kSeqCst})
    for (const MemoryOrder second : {kAcquire, kRelease, kAcqRel, kSeqCst}) {
      Steps s;
      s.store(1, x);
      s.fence(1, first);
      s.load(2, y, s.store(1, y));
      EXPECT_TRUE(s.may_read(2, x, s.initial(x)));
      s.fence(2, second);
      EXPECT_EQ(s.may_read(2, x, s.initial(x)), first == kAcquire || second == kRelease);
    }
}

TEST(MemoryTest, ReleaseFenceServesAcquireLoadsAndReleaseStoresServeAcquireFences) {
  Steps s;
  s.store(1, x);
  s.fence(1, kRelease);
  s.load(2, y, s.store(1, y), kAcquire);
  EXPECT_FALSE(s.may_read(2, x, s.initial(x)));
  s.store(3, z, kRelease);
  const StoreId other = s.store(3, y, kRelease);
  s.load(4, y, other);
  s.fence(4, kAcquire);
  EXPECT_FALSE(s.may_read(4, z, s.initial(z)));
}

TEST(MemoryTest, FencesOnTheWrongSideDoNothing) {
  Steps s;
  s.fence(1, kRelease);
  s.store(1, x);
  s.load(2, y, s.store(1, y), kAcquire);
  EXPECT_TRUE(s.may_read(2, x, s.initial(x))) << "x = 1 is behind the release fence";
  s.store(3, z);
  s.fence(4, kAcquire);
  s.load(4, y, s.store(3, y, kRelease));
  EXPECT_TRUE(s.may_read(4, z, s.initial(z))) << "the load is behind the acquire fence";
}

TEST(MemoryTest, ReleaseFenceIsInheritedThroughRmws) {
  Steps s;
  s.store(1, x);
  s.fence(1, kRelease);
  s.load(3, y, s.rmw(2, y, s.store(1, y)), kAcquire);
  EXPECT_FALSE(s.may_read(3, x, s.initial(x)));
}

// --- seq_cst ---------------------------------------------------------------------------------------------------------------------

TEST(MemoryTest, SeqCstReadSeesWhatIsNotOlderThanTheLastSeqCstAccess) {  // p4.1
  Steps s;
  const StoreId a = s.store(1, x), b = s.store(1, x, kSeqCst), c = s.store(2, x);
  EXPECT_EQ(s.readable(3, x, kSeqCst), (std::set{b, c}));
  EXPECT_EQ(s.readable(3, x), (std::set{s.initial(x), a, b, c}));
  s.load(3, x, c, kSeqCst);  // of a relaxed store: that counts, too (IRIW with relaxed writes and seq_cst reads)
  EXPECT_EQ(s.readable(4, x, kSeqCst), std::set{c});
}

TEST(MemoryTest, SeqCstReadSeesWhatHappensBeforeASeqCstFence) {  // p4.2
  Steps s;
  const StoreId a = s.store(1, x);
  EXPECT_TRUE(s.may_read(2, x, s.initial(x), kSeqCst));
  s.fence(1, kSeqCst);
  EXPECT_EQ(s.readable(2, x, kSeqCst), std::set{a});
  EXPECT_TRUE(s.may_read(2, x, s.initial(x)));
  const StoreId late = s.store(1, x);
  EXPECT_EQ(s.readable(2, x, kSeqCst), (std::set{a, late})) << "behind the fence";
}

TEST(MemoryTest, BehindASeqCstFenceOneSeesSeqCstStoresBeforeIt) {  // p4.3
  Steps s;
  const StoreId a = s.store(1, x, kSeqCst);
  s.fence(2, kSeqCst);
  const StoreId late = s.store(1, x, kSeqCst);
  EXPECT_EQ(s.readable(2, x), (std::set{a, late}));
  EXPECT_TRUE(s.may_read(3, x, s.initial(x)));
  s.load(3, y, s.store(2, y, kRelease), kAcquire);
  EXPECT_FALSE(s.may_read(3, x, s.initial(x))) << "the fence happens before that, too";
}

TEST(MemoryTest, BehindASeqCstFenceOneSeesWhatIsBeforeEarlierOnes) {  // p4.4
  Steps s;
  const StoreId a = s.store(1, x);
  s.fence(1, kSeqCst);
  const StoreId late = s.store(1, x);
  EXPECT_TRUE(s.may_read(2, x, s.initial(x)));
  s.fence(2, kSeqCst);
  EXPECT_EQ(s.readable(2, x), (std::set{a, late}));
}

TEST(MemoryTest, EarlierSeqCstFenceSeesNothingOfLaterOnes) {
  Steps s;
  s.fence(2, kSeqCst);
  s.store(1, x);
  s.fence(1, kSeqCst);
  EXPECT_TRUE(s.may_read(2, x, s.initial(x)));
}

TEST(MemoryTest, AcqRelFencesHaveNoPlaceInS) {
  Steps s;
  s.store(1, x);
  s.fence(1, kAcqRel);
  s.fence(2, kAcqRel);
  EXPECT_TRUE(s.may_read(2, x, s.initial(x)));
}

TEST(MemoryTest, FencesAreKnownToWhoAcquiresJoinsOrHasAnAcquireFence) {  // p4.4, behind another thread's fence
  for (const int how : {0, 1, 2}) {
    Steps s;
    s.store(1, x);
    s.fence(1, kSeqCst);
    s.fence(2, kSeqCst);
    const StoreId flag = s.store(2, y, kRelease);
    s.memory.finish(2);
    EXPECT_TRUE(s.may_read(3, x, s.initial(x)));
    if (how == 0) s.load(3, y, flag, kAcquire);
    if (how == 1) s.memory.join(3, 2);
    if (how == 2) s.load(3, y, flag), s.fence(3, kAcquire);
    EXPECT_FALSE(s.may_read(3, x, s.initial(x))) << how;
  }
}

TEST(MemoryTest, ThreadThatIsCreatedKnowsTheFencesOfItsCreator) {
  Steps s;
  s.store(1, x);
  s.fence(1, kSeqCst);
  s.fence(2, kSeqCst);
  s.memory.create(2, 5);
  EXPECT_FALSE(s.may_read(5, x, s.initial(x)));
}

// --- modification order ------------------------------------------------------------------------------------------------------------

TEST(MemoryTest, RmwGoesRightBehindWhatItReadsAndNothingComesBetween) {
  Steps s;
  const StoreId a = s.store(1, x), b = s.store(2, x);
  const StoreId after_a = s.rmw(3, x, a);
  EXPECT_LT(s.memory.store(a).label, s.memory.store(after_a).label);
  EXPECT_LT(s.memory.store(after_a).label, s.memory.store(b).label);
  EXPECT_TRUE(s.memory.store(a).is_taken);
  EXPECT_FALSE(s.memory.store(after_a).is_taken);
  EXPECT_EQ(s.memory.count_of_free(x), 3u) << "all of four but a";
  const StoreId c = s.store_behind(a, 4, x);
  EXPECT_EQ(s.newest(x), c) << "behind a store that is taken there is no room";
}

TEST(MemoryTest, StoreMayGoBeforeThoseOfOthers) {
  Steps s;
  const StoreId a = s.store(1, x);
  const StoreId b = s.store_behind(s.initial(x), 2, x);
  EXPECT_EQ(s.newest(x), a);
  s.load(3, x, b);
  EXPECT_EQ(s.readable(3, x), (std::set{a, b}));
  EXPECT_EQ(s.readable(2, x), (std::set{a, b}));
}

TEST(MemoryTest, ManyStoresBeforeTheSameOneKeepTheirOrder) {  // new labels, every 32
  Steps s;
  const StoreId last = s.store(1, x);
  s.load(4, x, last);
  StoreId before = s.initial(x);
  for (int i = 0; i < 200; ++i) {
    const StoreId added = s.store_behind(before, 2, x);
    ASSERT_LT(s.memory.store(before).label, s.memory.store(added).label);
    ASSERT_LT(s.memory.store(added).label, s.memory.store(last).label);
    if (i == 50) s.load(3, x, added);
    before = added;
  }
  EXPECT_EQ(s.newest(x), last);
  EXPECT_EQ(s.readable(4, x), std::set{last}) << "what it has read still hides all others";
  EXPECT_EQ(s.readable(3, x).size(), 1u + 149u + 1u) << "the one that it has read, those behind it, the last one";
  EXPECT_EQ(s.readable(2, x), (std::set{before, last}));
}

TEST(MemoryTest, LabelsBeginAnewWhenTheyAreUsedUp) {
  Steps s;
  s.memory.set_first_label(~Label{0} - 2 * kGap);
  const Memory::LocationId w = s.memory.new_location(0);
  std::vector<StoreId> stores{s.newest(w)};
  for (int i = 0; i < 10; ++i) {
    stores.push_back(s.store(1, w));
    s.load(2, w, stores.back());
    ASSERT_EQ(s.readable(2, w), std::set{stores.back()});
  }
  for (std::size_t i = 1; i < stores.size(); ++i) EXPECT_LT(s.memory.store(stores[i - 1]).label, s.memory.store(stores[i]).label);
}

// --- threads -----------------------------------------------------------------------------------------------------------------------

TEST(MemoryTest, JoinAndCreatePassOnWhatIsKnown) {
  Steps s;
  s.store(1, x);
  s.memory.finish(1);
  EXPECT_TRUE(s.may_read(2, x, s.initial(x)));
  s.memory.join(2, 1);
  EXPECT_FALSE(s.may_read(2, x, s.initial(x)));
  s.memory.create(2, 5);
  EXPECT_FALSE(s.may_read(5, x, s.initial(x)));
  s.store(2, y);
  EXPECT_TRUE(s.may_read(5, y, s.initial(y))) << "behind the creation";
}

TEST(MemoryTest, WhatAThreadHasJoinedIsPartOfItsNextRelease) {
  Steps s;
  s.store(1, z, kRelease);
  s.store(2, x);
  s.memory.finish(2);
  s.memory.join(1, 2);
  s.load(3, z, s.store(1, z, kRelease), kAcquire);
  EXPECT_FALSE(s.may_read(3, x, s.initial(x)));
}

/// Who knows the second thread of a number must know what the first one knew, or "I know a later event of it" means nothing.
TEST(MemoryTest, NumberThatIsUsedAgainHidesNothingOfTheFirstThread) {
  Steps s;
  s.store(2, x);
  s.load(1, z, s.store(2, z, kRelease), kAcquire);
  const StoreId flag = s.store(1, y, kRelease);  // by the first thread 1, which knows x
  s.memory.finish(1);
  s.memory.create(3, 1);  // by one that knows nothing of that
  s.load(4, z, s.store(1, z, kRelease), kAcquire);
  s.load(4, y, flag, kAcquire);
  EXPECT_FALSE(s.may_read(4, x, s.initial(x)));
}

TEST(MemoryTest, SyncObjectsPassOnWhatTheirUsersKnew) {
  Steps s;
  Published object;
  s.store(1, x);
  s.memory.release(1, object);
  s.store(2, y);
  s.memory.release(2, object);
  s.store(2, z);
  s.memory.acquire(3, object);
  EXPECT_FALSE(s.may_read(3, x, s.initial(x)));
  EXPECT_FALSE(s.may_read(3, y, s.initial(y)));
  EXPECT_TRUE(s.may_read(3, z, s.initial(z)));
  s.memory.let_go(object);
}

TEST(MemoryTest, NothingIsLeftOfAnExecution) {
  Steps s;
  s.store(1, x, kSeqCst);
  s.fence(1, kSeqCst);
  s.load(2, x, s.store(1, x, kRelease));
  s.fence(2, kAcquire);
  s.rmw(3, x, s.rmw(2, x, s.newest(x), kRelease), kRelease);
  EXPECT_GT(s.memory.rows_in_use(), 0u);
  s.memory.begin();
  EXPECT_EQ(s.memory.rows_in_use(), 0u);
  EXPECT_EQ(s.memory.stores_in_use(), 0u);
  s.memory.create(0, 1);
  const Memory::LocationId location = s.memory.new_location(7);
  EXPECT_EQ(s.memory.readable(1, location, kSeqCst), 1u);
  EXPECT_EQ(s.memory.last(location).value, 7);
}

}  // namespace
}  // namespace ordeal::sample::testing
