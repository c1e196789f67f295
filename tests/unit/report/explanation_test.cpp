// Why a bug happened, in sentences written by hand for traces written by hand.
#include "report/explanation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fake_names.h"

namespace ordeal::report {
namespace {

using model::EventKind;
using model::MemoryOrder;
using testing::FakeNames;
using testing::TraceMaker;
using trace::BugKind;
using trace::EventName;

struct Story {
  explicit Story(BugKind kind) : events(bug.trace, {"main", "thread 1", "thread 2", "thread 3"}) {
    bug.kind = kind;
    bug.trace.model = "cpp20";
    x = events.location(0x100);
    flag = events.location(0x200);
  }
  /// The write of a read-modify-write that reads `rf`.
  EventName rmw(int thread, int location, model::Value from, model::Value to, MemoryOrder order, EventName rf, trace::CodeAddress line) {
    events.read(thread, location, from, order, rf, line);
    bug.trace.events.back().is_rmw = true;
    const EventName name = events.write(thread, location, to, order, line);
    bug.trace.events.back().is_rmw = true;
    return name;
  }
  void sort(int location, trace::LocationSort sort) { bug.trace.locations[static_cast<std::size_t>(location)].sort = sort; }
  std::vector<std::string> told() {
    FakeNames names;
    return explanation(BugView(bug, names));
  }

  trace::Bug bug;
  TraceMaker events;
  int x = 0, flag = 0;
};

std::vector<std::string> race_of(Story& story, int first, int first_before, int second, int second_before) {
  story.bug.address = 0x500;
  story.bug.parties = {{first, "writes 4 bytes", 0x500, first_before, {41}}, {second, "reads 4 bytes", 0x500, second_before, {57}}};
  return story.told();
}
using Sentences = std::vector<std::string>;

TEST(Explanation, AChainThroughAThirdThreadBreaksAtItsWeakHop) {
  Story story(BugKind::kDataRace);
  const EventName first = story.events.write(1, story.x, 1, MemoryOrder::kRelease, 10);
  story.events.read(2, story.x, 1, MemoryOrder::kRelaxed, first, 20);
  const EventName second = story.events.write(2, story.flag, 1, MemoryOrder::kRelease, 21);
  story.events.read(3, story.flag, 1, MemoryOrder::kAcquire, second, 30);
  EXPECT_EQ(race_of(story, 1, 0, 3, 1),
            (Sentences{"thread 2 reads 'x' = 1 at queue.cpp:20 [b] from the store of thread 1 at queue.cpp:10 [a] (on the way from thread 1 to thread 3), "
                       "but that does not order the two accesses: the load is relaxed, not acquire.",
                       "With memory_order_acquire for the load at queue.cpp:20 the two accesses are ordered."}));
}

/// That the relaxed store comes after the release store is known from main, which reads one after the other.
TEST(Explanation, AStoreThatCutsAReleaseSequenceIsTold) {
  Story story(BugKind::kDataRace);
  const EventName first = story.events.write(1, story.x, 1, MemoryOrder::kRelease, 10);
  story.events.read(0, story.x, 1, MemoryOrder::kRelaxed, first, 5);
  const EventName second = story.events.write(2, story.x, 2, MemoryOrder::kRelaxed, 20);
  story.events.read(0, story.x, 2, MemoryOrder::kRelaxed, second, 6);
  story.events.read(3, story.x, 2, MemoryOrder::kAcquire, second, 30);
  const Sentences told = race_of(story, 1, 0, 3, 1);
  ASSERT_GE(told.size(), 2u);
  EXPECT_EQ(told[0], "Nothing orders the two accesses: neither happens before the other.");
  EXPECT_EQ(told[1], "thread 3 reads 'x' = 2 at queue.cpp:30 [e] from the store of thread 2 at queue.cpp:20 [c]. That store comes after the release store of thread 1 at queue.cpp:10 [a], "
                     "but does not continue its release sequence: it is no read-modify-write.");
}

TEST(Explanation, ARaceIsNotExplainedByTheReadThatRaces) {
  Story story(BugKind::kDataRace);
  const EventName store = story.events.write(1, story.x, 1, MemoryOrder::kRelaxed, 10);
  story.events.read(2, story.x, 1, MemoryOrder::kPlain, store, 20);
  story.bug.address = 0x100;
  story.bug.parties = {{1, "atomically writes 4 bytes", 0x100, -1, {10, 1000}}, {2, "reads 4 bytes", 0x100, -1, {20, 1000}}};
  EXPECT_EQ(story.told(), (Sentences{"Nothing orders the two accesses: neither happens before the other.", "thread 1 has not synchronised with another thread before.",
                                     "thread 2 has not synchronised with another thread before."}));
}

// Two writers under a lock whose taking is relaxed: the second does not know the store of the first, which may come later in modification
// order. Thread 2 has read its own store, and reads the other one then: no interleaving does both.
TEST(Explanation, AStoreThatTookEffectLaterIsNamedWithWhatFailedToOrderTheTwo) {
  Story story(BugKind::kAssertion);
  const EventName first = story.events.write(1, story.x, 3, MemoryOrder::kRelaxed, 10);
  const EventName unlocked = story.events.write(1, story.flag, 1, MemoryOrder::kRelease, 11);
  story.events.read(2, story.flag, 1, MemoryOrder::kRelaxed, unlocked, 20);
  const EventName second = story.events.write(2, story.x, 1, MemoryOrder::kRelaxed, 21);
  story.events.read(2, story.x, 1, MemoryOrder::kRelaxed, second, 22);
  story.events.read(2, story.x, 3, MemoryOrder::kRelaxed, first, 23);
  EXPECT_EQ(story.told(),
            (Sentences{"No interleaving of the threads does this: it takes weak memory, where stores of two threads may take effect in another order than that of the rows.",
                       "thread 2 reads 'x' = 3 at queue.cpp:23 [f] from the store of thread 1 at queue.cpp:10 [a], although thread 2 had stored 1 at queue.cpp:21 [d]: of the two "
                       "stores the one that is read took effect last.",
                       "Nothing forbids that, because the store [a] does not happen before the store [d]: thread 2 reads 'flag' = 1 at queue.cpp:20 [c] from the store of thread 1 at "
                       "queue.cpp:11 [b], but the load is relaxed, not acquire.",
                       "With memory_order_acquire for the load at queue.cpp:20 this execution is impossible."}));
}

TEST(Explanation, AnEmptySemaphoreNamesWhoTookTheLast) {
  Story story(BugKind::kDeadlock);
  story.sort(story.flag, trace::LocationSort::kSemaphore);
  const EventName made = story.events.write(0, story.flag, 1, MemoryOrder::kRelaxed, 5);
  story.rmw(2, story.flag, 1, 0, MemoryOrder::kAcquire, made, 20);
  story.bug.parties = {{1, "waits for semaphore {}", 0x200, 0, {10}}};
  EXPECT_EQ(story.told(), Sentences{"'flag' is 0 since thread 2 took it at queue.cpp:20 [b], and no thread is left that will post it."});
}

TEST(Explanation, WhatHappensForNoReasonIsSaid) {
  Story story(BugKind::kAssertion);
  story.events.read(1, story.x, 0, MemoryOrder::kRelaxed, {-1, story.x}, 10);
  story.bug.trace.events.back().failed_spuriously = true;
  EXPECT_EQ(story.told().front(), "The compare-exchange of thread 1 at queue.cpp:10 [a] fails although it finds what it expects: a weak one may do so.");
}

TEST(Explanation, AThreadThatLocksAgainWaitsForItself) {
  Story story(BugKind::kDeadlock);
  const int lock = story.events.location(0x300);
  story.sort(lock, trace::LocationSort::kMutex);
  story.events.lock(1, lock, 10);
  story.bug.trace.ending = engine::Ending::kBlocked;
  story.bug.parties = {{1, "waits for mutex {}, which it holds already", 0x300, 2, {11}}};
  EXPECT_EQ(story.told(), Sentences{"thread 1 has locked 'a.lock' itself at queue.cpp:10 [a], and so waits for itself."});
}

TEST(Explanation, WhoHasEndedUnlocksNothing) {
  Story story(BugKind::kDeadlock);
  const int lock = story.events.location(0x300);
  story.sort(lock, trace::LocationSort::kMutex);
  story.events.lock(1, lock, 10);
  story.bug.trace.ending = engine::Ending::kBlocked;
  story.bug.parties = {{2, "waits for mutex {}, held by thread 1", 0x300, 0, {11}}};
  EXPECT_EQ(story.told(), Sentences{"thread 1 holds 'a.lock' since it locked it at queue.cpp:10 [a], and has ended without unlocking it."});
}

/// A read-write lock has 2 for each reader. Both want to write then.
TEST(Explanation, ReadersThatWantToWriteWaitForEachOther) {
  Story story(BugKind::kDeadlock);
  const int lock = story.events.location(0x300);
  story.sort(lock, trace::LocationSort::kSharedMutex);
  const EventName first = story.rmw(1, lock, 0, 2, MemoryOrder::kAcquire, {-1, lock}, 10);
  story.rmw(2, lock, 2, 4, MemoryOrder::kAcquire, first, 20);
  story.bug.trace.ending = engine::Ending::kBlocked;
  story.bug.parties = {{1, "waits for read-write lock {}, held for reading", 0x300, 2, {11}}, {2, "waits for read-write lock {}, held for reading", 0x300, 2, {21}}};
  EXPECT_EQ(story.told(), (Sentences{"thread 2 holds 'a.lock' for reading since it locked it at queue.cpp:20 [b].", "thread 1 holds 'a.lock' for reading since it locked it at queue.cpp:10 [a].",
                                     "So thread 1 waits for thread 2, and thread 2 for thread 1."}));
}

/// Thread 1 has unlocked it, in between.
TEST(Explanation, ALoneReaderThatWantsToWriteWaitsForItself) {
  Story story(BugKind::kDeadlock);
  const int lock = story.events.location(0x300);
  story.sort(lock, trace::LocationSort::kSharedMutex);
  const EventName first = story.rmw(1, lock, 0, 2, MemoryOrder::kAcquire, {-1, lock}, 10);
  const EventName second = story.rmw(2, lock, 2, 4, MemoryOrder::kAcquire, first, 20);
  story.rmw(1, lock, 4, 2, MemoryOrder::kRelease, second, 11);
  story.bug.trace.ending = engine::Ending::kBlocked;
  story.bug.parties = {{2, "waits for read-write lock {}, held for reading", 0x300, 2, {21}}};
  EXPECT_EQ(story.told(), Sentences{"thread 2 has locked 'a.lock' for reading itself at queue.cpp:20 [b], and so waits for itself."});
}

/// However many wait for it.
TEST(Explanation, WhoHoldsALockIsToldOnce) {
  Story story(BugKind::kDeadlock);
  const int lock = story.events.location(0x300);
  story.sort(lock, trace::LocationSort::kMutex);
  story.events.lock(1, lock, 10);
  story.bug.trace.ending = engine::Ending::kBlocked;
  story.bug.parties = {{1, "waits for mutex {}, which it holds already", 0x300, 2, {11}}, {2, "waits for mutex {}, held by thread 1", 0x300, 0, {11}}};
  EXPECT_EQ(story.told(), Sentences{"thread 1 has locked 'a.lock' itself at queue.cpp:10 [a], and so waits for itself."});
}

/// Bits of a condition variable: thread 1 is 2, thread 2 is 4.
TEST(Explanation, ANotificationGoesToNobodyOrToAnother) {
  Story story(BugKind::kDeadlock);
  const int condition = story.events.location(0x400);
  story.sort(condition, trace::LocationSort::kCondition);
  const EventName initial{-1, condition};
  story.events.read(3, condition, 0, MemoryOrder::kRelaxed, initial, 30);
  const EventName first = story.rmw(1, condition, 0, 2, MemoryOrder::kRelaxed, initial, 10);
  const EventName second = story.rmw(2, condition, 2, 6, MemoryOrder::kRelaxed, first, 20);
  story.rmw(3, condition, 6, 2, MemoryOrder::kRelaxed, second, 31);
  story.bug.trace.events[story.bug.trace.events.size() - 2].woken = 2;
  story.bug.parties = {{1, "waits for a notification of {}", 0x400, 2, {10}}};
  EXPECT_EQ(story.told(), (Sentences{"thread 3 notified 'b.lock' at queue.cpp:30 [a], when nobody waited: thread 1 began to wait afterwards at queue.cpp:10 [b].",
                                     "thread 3 notified 'b.lock' at queue.cpp:31 [d], which woke thread 2 and not thread 1."}));
}

TEST(Explanation, WhoeverIsNotNotifiedIsToldSo) {
  Story story(BugKind::kDeadlock);
  const int condition = story.events.location(0x400);
  story.sort(condition, trace::LocationSort::kCondition);
  story.rmw(1, condition, 0, 2, MemoryOrder::kRelaxed, {-1, condition}, 10);
  story.bug.parties = {{1, "waits for a notification of {}", 0x400, 2, {10}}};
  EXPECT_EQ(story.told(), Sentences{"Nobody notifies 'b.lock' in this execution."});
}

/// MP: the store of x was skipped, because the hop over flag is too weak.
TEST(Explanation, AnOldValueIsExplainedByTheHopThatIsTooWeak) {
  Story story(BugKind::kAssertion);
  story.events.write(1, story.x, 1, MemoryOrder::kRelaxed, 10);
  const EventName signal = story.events.write(1, story.flag, 1, MemoryOrder::kRelease, 11);
  story.events.read(2, story.flag, 1, MemoryOrder::kRelaxed, signal, 20);
  story.events.read(2, story.x, 0, MemoryOrder::kRelaxed, {-1, story.x}, 21);
  const Sentences told = story.told();
  ASSERT_EQ(told.size(), 4u);
  EXPECT_EQ(told[1], "thread 2 reads 'x' = 0 at queue.cpp:21 [d], although thread 1 had stored 1 at queue.cpp:10 [a].");
  EXPECT_EQ(told[2], "Nothing forbids that, because the store does not happen before the load: thread 2 reads 'flag' = 1 at queue.cpp:20 [c] from the store of thread 1 at queue.cpp:11 [b], "
                     "but the load is relaxed, not acquire.");
  EXPECT_EQ(told[3], "With memory_order_acquire for the load at queue.cpp:20 this execution is impossible.");
}

/// The load skips two stores, and has the value of the second: that the first is skipped is what can be seen.
TEST(Explanation, OfSkippedStoresTheLastWithAnotherValueIsNamed) {
  Story story(BugKind::kAssertion);
  story.events.write(1, story.x, 1, MemoryOrder::kRelaxed, 10);
  story.events.read(1, story.flag, 0, MemoryOrder::kRelaxed, {-1, story.flag}, 11);
  story.events.write(1, story.x, 0, MemoryOrder::kRelaxed, 12);
  story.events.write(2, story.flag, 1, MemoryOrder::kRelaxed, 20);
  story.events.read(2, story.x, 0, MemoryOrder::kRelaxed, {-1, story.x}, 21);
  const Sentences told = story.told();
  ASSERT_GE(told.size(), 2u);
  EXPECT_EQ(told[1], "thread 2 reads 'x' = 0 at queue.cpp:21 [e], although thread 1 had stored 1 at queue.cpp:10 [a], and then 0 at queue.cpp:12 [c].");
}

/// A reader of a sequence lock: nothing behind the last store of x has reached it, but something behind the first has.
TEST(Explanation, OfSkippedStoresOneThatCouldHaveBeenKnownIsExplained) {
  Story story(BugKind::kAssertion);
  story.events.read(2, story.x, 0, MemoryOrder::kAcquire, {-1, story.x}, 20);
  story.events.write(1, story.x, 1, MemoryOrder::kRelaxed, 10);
  const EventName signal = story.events.write(1, story.flag, 1, MemoryOrder::kRelease, 11);
  story.events.write(1, story.x, 2, MemoryOrder::kRelease, 12);
  story.events.read(2, story.flag, 1, MemoryOrder::kRelaxed, signal, 21);
  story.events.read(2, story.x, 0, MemoryOrder::kRelaxed, {-1, story.x}, 22);
  const Sentences told = story.told();
  ASSERT_EQ(told.size(), 4u);
  EXPECT_EQ(told[1], "thread 2 reads 'x' = 0 at queue.cpp:22 [f], although thread 1 had stored 1 at queue.cpp:10 [b], and then 2 at queue.cpp:12 [d].");
  EXPECT_EQ(told[2], "Nothing forbids that, because the store does not happen before the load: thread 2 reads 'flag' = 1 at queue.cpp:21 [e] from the store of thread 1 at queue.cpp:11 [c], "
                     "but the load is relaxed, not acquire.");
  EXPECT_EQ(told[3], "With memory_order_acquire for the load at queue.cpp:21 this execution is impossible.");
}

TEST(Explanation, EveryHopThatIsTooWeakIsTold) {
  Story story(BugKind::kAssertion);
  const EventName first = story.events.write(1, story.x, 1, MemoryOrder::kRelaxed, 10);
  story.events.read(2, story.x, 1, MemoryOrder::kRelaxed, first, 20);
  const EventName second = story.events.write(2, story.flag, 1, MemoryOrder::kRelaxed, 21);
  story.events.read(3, story.flag, 1, MemoryOrder::kAcquire, second, 30);
  story.events.read(3, story.x, 0, MemoryOrder::kRelaxed, {-1, story.x}, 31);
  const Sentences told = story.told();
  ASSERT_EQ(told.size(), 4u);
  EXPECT_EQ(told[2], "Nothing forbids that, because the store does not happen before the load: thread 2 reads 'x' = 1 at queue.cpp:20 [b] from the store of thread 1 at queue.cpp:10 [a], "
                     "but the store is relaxed, not release, and the load is relaxed, not acquire; and thread 3 reads 'flag' = 1 at queue.cpp:30 [d] from the store of thread 2 at "
                     "queue.cpp:21 [c], but the store is relaxed, not release.");
  EXPECT_EQ(told[3], "With memory_order_release for the store at queue.cpp:21 this execution is impossible.");
}

/// Release behind the store and acquire before the load order nothing; nor does acquire before the store.
TEST(Explanation, AFenceAtTheWrongPlaceIsNamed) {
  for (const bool is_after : {true, false}) {
    Story story(BugKind::kDataRace);
    if (!is_after) story.events.add(1, EventKind::kFence, MemoryOrder::kAcquire, 9);
    const EventName store = story.events.write(1, story.flag, 1, MemoryOrder::kRelaxed, 10);
    if (is_after) story.events.add(1, EventKind::kFence, MemoryOrder::kRelease, 11);
    story.events.add(2, EventKind::kFence, MemoryOrder::kAcquire, 19);
    story.events.read(2, story.flag, 1, MemoryOrder::kRelaxed, store, 20);
    const Sentences told = race_of(story, 1, 0, 2, 2);
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0], std::string("thread 2 reads 'flag' = 1 at queue.cpp:20 [d] from the store of thread 1 at queue.cpp:10 ") + (is_after ? "[a]" : "[b]") +
                           ", but that does not order the two accesses: the store is relaxed, not release " +
                           (is_after ? "(the fence at queue.cpp:11 [b] comes after it)" : "(the fence at queue.cpp:9 [a] is acquire, not release)") +
                           ", and the load is relaxed, not acquire (the fence at queue.cpp:19 [c] comes before it).");
    EXPECT_EQ(told[1], "With memory_order_release for the store at queue.cpp:10 and memory_order_acquire for the load at queue.cpp:20 the two accesses are ordered.");
  }
}

TEST(Explanation, AMutexThatOnlyOneOfTheTwoHoldsIsNamed) {
  for (const bool is_unlocked : {false, true}) {
    Story story(BugKind::kDataRace);
    const int lock = story.events.location(0x300);
    story.sort(lock, trace::LocationSort::kMutex);
    const EventName locked = story.rmw(1, lock, 0, 1, MemoryOrder::kAcquire, {-1, lock}, 10);
    if (is_unlocked) story.rmw(1, lock, 1, 0, MemoryOrder::kRelease, locked, 11);
    const Sentences told = race_of(story, 1, is_unlocked ? 4 : 2, 2, 0);
    const bool is_told = std::find(told.begin(), told.end(), "thread 1 holds 'a.lock', locked at queue.cpp:10 [a], and thread 2 holds no mutex.") != told.end();
    EXPECT_EQ(is_told, !is_unlocked);
  }
}

/// The read of a read-modify-write that takes part in the race is no synchronisation before it.
TEST(Explanation, AnAccessDoesNotComeBeforeItself) {
  Story story(BugKind::kDataRace);
  const EventName store = story.events.write(1, story.x, 1, MemoryOrder::kRelease, 10);
  story.rmw(2, story.x, 1, 2, MemoryOrder::kAcqRel, store, 20);
  story.bug.address = 0x100;
  story.bug.parties = {{2, "atomically writes 4 bytes", 0x100, 1, {20}}, {1, "frees it", 0x100, 1, {11}}};
  EXPECT_EQ(story.told(), (Sentences{"Nothing orders the two accesses: neither happens before the other.", "thread 2 has not synchronised with another thread before.",
                                     "thread 1 has not synchronised with another thread before."}));
}

/// Both loads would do; the sentence before it has named the second.
TEST(Explanation, WhatIsBlamedIsRaisedFirst) {
  Story story(BugKind::kDataRace);
  const EventName store = story.events.write(1, story.flag, 1, MemoryOrder::kRelease, 10);
  story.events.read(2, story.flag, 1, MemoryOrder::kRelaxed, store, 20);
  story.rmw(2, story.flag, 1, 2, MemoryOrder::kRelaxed, store, 21);
  const Sentences told = race_of(story, 1, 0, 2, 3);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_NE(told[0].find("thread 2 reads 'flag' = 1 at queue.cpp:21 [c]"), std::string::npos) << told[0];
  EXPECT_EQ(told[1], "With memory_order_acquire for the read-modify-write at queue.cpp:21 the two accesses are ordered.");
}

/// What is inside a library is not the user's to change; a trace of an unknown model says nothing.
TEST(Explanation, NothingIsProposedForLibrariesOrUnknownModels) {
  struct LibraryNames : FakeNames {
    bool is_direct(const std::vector<trace::CodeAddress>&) override { return false; }
  };
  for (const bool is_library : {true, false}) {
    Story story(BugKind::kDataRace);
    const EventName store = story.events.write(1, story.flag, 1, MemoryOrder::kRelaxed, 10);
    story.events.read(2, story.flag, 1, MemoryOrder::kAcquire, store, 20);
    story.bug.address = 0x500;
    story.bug.parties = {{1, "writes 4 bytes", 0x500, 0, {41}}, {2, "reads 4 bytes", 0x500, 1, {57}}};
    if (!is_library) story.bug.trace.model = "another";
    LibraryNames library;
    FakeNames names;
    for (const std::string& sentence : explanation(BugView(story.bug, is_library ? library : names))) EXPECT_EQ(sentence.find("With "), std::string::npos) << sentence;
  }
}

}  // namespace
}  // namespace ordeal::report
