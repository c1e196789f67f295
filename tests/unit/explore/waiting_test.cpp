// Locks, try-locks, condition variables and loads that wait: numbers of classes and deadlocks worked out by hand, for all
// models. (tests/differential/sync_test.cpp compares random programs with brute force.)
#include "explore/waiting.h"

#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "explore/load_buffering.h"
#include "explore/replay.h"
#include "tests/support/exploration.h"
#include "tests/support/models.h"
#include "tests/support/scripted_program.h"

namespace ordeal::tests {
namespace {

using Body = ScriptedProgram::Body;
using Found = std::pair<std::uint64_t, std::uint64_t>;  // complete, blocked

constexpr MemoryOrder kSeqCst = MemoryOrder::kSeqCst;

Found explored(ScriptedProgram& program, model::Model model) {
  const Exploration result = explore_all(program, model);
  EXPECT_EQ(result.repeated, 0) << model::name_of(model);
  return {result.counts.complete, result.counts.blocked};
}

/// The threads share two mutexes a and b, a condition variable, and two atomics.
struct Shared {
  LocationId a{0}, b{1}, condition{2}, x{3}, y{4};
};

void expect(Found expected, const std::vector<Body>& threads) {
  for (const model::Model model : kAllModels)
    for (const bool checkpoints : {false, true}) {
      ScriptedProgram program;
      for (int i = 0; i < 5; ++i) program.location();
      for (const Body& body : threads) program.thread(body);
      if (checkpoints) program.set_checkpoints(30);
      EXPECT_EQ(explored(program, model), expected) << model::name_of(model);
    }
}

constexpr Shared kShared;

void critical_section(Steps& steps) {
  steps.lock(kShared.a);
  steps.unlock(kShared.a);
}

std::uint64_t factorial(int n) { return n == 0 ? 1 : static_cast<std::uint64_t>(n) * factorial(n - 1); }

TEST(Locks, NThreadsTakeAMutexInNFactorialOrders) {
  for (int n = 1; n <= 5; ++n) expect({factorial(n), 0}, std::vector<Body>(static_cast<std::size_t>(n), critical_section));
}

TEST(Locks, CriticalSectionsOfTwoThreadsInterleave) {
  const Body three = [](Steps& steps) {
    for (int i = 0; i < 3; ++i) critical_section(steps);
  };
  expect({20, 0}, {three, three});  // 6 over 3
  const Body two = [](Steps& steps) {
    for (int i = 0; i < 2; ++i) critical_section(steps);
  };
  expect({90, 0}, {two, two, two});  // 6! / 2!^3
}

Body nested(LocationId first, LocationId second) {
  return [=](Steps& steps) {
    steps.lock(first);
    steps.lock(second);
    steps.unlock(second);
    steps.unlock(first);
  };
}

TEST(Locks, OppositeOrdersDeadlockInOneClass) {
  expect({2, 1}, {nested(kShared.a, kShared.b), nested(kShared.b, kShared.a)});
  expect({2, 0}, {nested(kShared.a, kShared.b), nested(kShared.a, kShared.b)});
}

/// n forks have 2^n orders of their two users. Two of these are cycles: all take the left fork first, a deadlock; or all
/// the right one first, which cannot be, since everyone has taken the left one then.
TEST(Locks, PhilosophersDeadlockInOneClass) {
  for (int n = 2; n <= 5; ++n)
    for (const model::Model model : kAllModels) {
      ScriptedProgram program;
      std::vector<LocationId> forks;
      for (int i = 0; i < n; ++i) forks.push_back(program.location());
      for (std::size_t i = 0; i < forks.size(); ++i) program.thread(nested(forks[i], forks[(i + 1) % forks.size()]));
      EXPECT_EQ(explored(program, model), Found((std::uint64_t{1} << n) - 2, 1)) << n << ", " << model::name_of(model);
    }
}

TEST(Locks, AMutexTakenTwiceIsADeadlock) { expect({0, 1}, {nested(kShared.a, kShared.a)}); }

TEST(Locks, WhoNeverUnlocksBlocksTheOthers) {
  const Body forever = [](Steps& steps) { steps.lock(kShared.a); };
  expect({0, 2}, {forever, forever});
  expect({0, 3}, {forever, forever, forever});
  expect({1, 1}, {forever, critical_section});
}

void try_section(Steps& steps) {
  if (steps.try_lock(kShared.a)) steps.unlock(kShared.a);
}

/// One comes first; the other reads that the mutex is held, or free again.
TEST(TryLocks, OfTwoOneFailsOrComesLater) { expect({4, 0}, {try_section, try_section}); }

/// The lock comes first, and the try fails or comes later; or the try comes first.
TEST(TryLocks, CompeteWithLocks) {
  expect({3, 0}, {try_section, critical_section});
  expect({3, 0}, {critical_section, try_section});
}

/// The attempt of a lock that came too late constrains nothing: the second thread may be through, its load included,
/// before the first one stores. r = 0 or 1 then; if the first comes first, r = 1.
TEST(Locks, AnAttemptIsNoRead) {
  expect({3, 0}, {[](Steps& steps) {
                    steps.store(kShared.y, 1);
                    steps.fence(kSeqCst);
                    critical_section(steps);
                  },
                  [](Steps& steps) {
                    critical_section(steps);
                    steps.fence(kSeqCst);
                    steps.load(kShared.y);
                  }});
}

void wait_section(Steps& steps) {
  steps.lock(kShared.a);
  steps.wait(kShared.condition, kShared.a);
  steps.unlock(kShared.a);
}

Body notify_section(bool all) {
  return [=](Steps& steps) {
    steps.lock(kShared.a);
    if (all) steps.notify_all(kShared.condition);
    else steps.notify_one(kShared.condition);
    steps.unlock(kShared.a);
  };
}

TEST(ConditionVariables, ANotificationBeforeTheWaitIsLost) {
  expect({1, 1}, {wait_section, notify_section(false)});
  expect({1, 1}, {notify_section(true), wait_section});
}

/// Two wait. Notified behind both: 2 orders, and one of two is woken (4, the other waits for ever), or both, in 2 orders
/// each (4). Between them: 2 orders, and the first may be back before or after the second waits (4). Before both: 2.
TEST(ConditionVariables, NotifyOneWakesAnyAndNotifyAllWakesAll) {
  expect({0, 10}, {wait_section, wait_section, notify_section(false)});
  expect({4, 6}, {wait_section, wait_section, notify_section(true)});
  expect({0, 10}, {notify_section(false), wait_section, wait_section});
}

/// A store behind the notification revisits a load before it, which deletes the notification: from one of its choices only.
TEST(ConditionVariables, WhomNotifyOneWakesIsChosenOnce) {
  const Body loads_first = [](Steps& steps) {
    steps.load(kShared.x);
    notify_section(false)(steps);
  };
  expect({0, 20}, {wait_section, wait_section, loads_first, [](Steps& steps) { steps.store(kShared.x, 1); }});
}

Value await_equal(Steps& steps, LocationId location, Value value) {
  return steps.await(model::Await::kEqual, location, -1, value, MemoryOrder::kAcquire);
}

TEST(Awaits, WaitForTheRightValue) {
  const Body waits = [](Steps& steps) { await_equal(steps, kShared.x, 1); };
  const Body stores = [](Steps& steps) { steps.store(kShared.x, 1); };
  expect({0, 1}, {waits});
  expect({1, 0}, {waits, stores});
  expect({1, 0}, {stores, waits});
  expect({1, 0}, {[](Steps& steps) { steps.await(model::Await::kNotEqual, kShared.x, 1, 0); }, stores});
}

/// The value was there, but who comes late waits for ever.
TEST(Awaits, MayComeTooLate) {
  const Body waits = [](Steps& steps) { await_equal(steps, kShared.x, 0); };
  const Body stores = [](Steps& steps) { steps.store(kShared.x, 1); };
  expect({1, 1}, {waits, stores});
  expect({1, 1}, {stores, waits});
  expect({1, 1}, {waits, [](Steps& steps) { steps.fetch_add(kShared.x, 1); }});
}

/// Each waits for the other: blocked, and in one way only.
TEST(Awaits, WaitForEachOther) {
  expect({0, 1}, {[](Steps& steps) {
                    await_equal(steps, kShared.x, 1);
                    steps.store(kShared.y, 1);
                  },
                  [](Steps& steps) {
                    await_equal(steps, kShared.y, 1);
                    steps.store(kShared.x, 1);
                  }});
}

/// r = 1: the first or the last 0. r = 0: the last 0 only, and that must be found although the first one seemed to do.
TEST(Awaits, FindTheLaterValueWhenTheEarlierOneIsRuledOut) {
  const Body waits = [](Steps& steps) {
    steps.store(kShared.x, 1);
    steps.fence(kSeqCst);
    await_equal(steps, kShared.y, 0);
  };
  const Body stores = [](Steps& steps) {
    steps.store(kShared.y, 1);
    steps.fence(kSeqCst);
    steps.load(kShared.x);
    steps.store(kShared.y, 0);
  };
  expect({3, 0}, {waits, stores});
  expect({3, 0}, {stores, waits});
}

/// A list may end where a thread waits, but not where it could go on.
TEST(Locks, ReplayRefusesToWaitForNothing) {
  ScriptedProgram program;
  for (int i = 0; i < 5; ++i) program.location();
  program.thread(critical_section);
  explore::Replay replay(model::Model::kCpp20, {});
  engine::Session session(program, replay);
  EXPECT_THROW(session.run(), explore::ReplayError);
}

std::uint64_t buffered_classes(bool both_lock) {
  ScriptedProgram program;
  for (int i = 0; i < 5; ++i) program.location();
  program.thread([](Steps& steps) {
    steps.load(kShared.x);
    critical_section(steps);
    steps.store(kShared.y, 1);
  });
  program.thread([=](Steps& steps) {
    steps.load(kShared.y);
    if (both_lock) critical_section(steps);
    steps.store(kShared.x, 1);
  });
  model::Consistency consistency(model::Model::kCpp20);
  explore::LoadBuffering load_buffering(program, consistency);
  return load_buffering.run().complete;
}

/// A critical section of one thread orders nothing between two. With one in each, who locks first has loaded before
/// the other stores.
TEST(Locks, LoadBufferingGoesThroughACriticalSection) {
  EXPECT_EQ(buffered_classes(false), 1);
  EXPECT_EQ(buffered_classes(true), 0);
}

}  // namespace
}  // namespace ordeal::tests
