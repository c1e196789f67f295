// The main loop: results, notes, endings, and who may stop it.
#include "engine/session.h"

#include <functional>

#include <gtest/gtest.h>

#include "engine/not_deterministic.h"
#include "sight.h"
#include "tests/support/brute_force.h"
#include "tests/support/models.h"

namespace ordeal::tests {
namespace {

std::map<Notes, int> noted_by(engine::Program& program, model::Model model) {
  Noted noted;
  const Exploration result = explore_all(program, model, &noted);
  EXPECT_EQ(result.repeated, 0) << model::name_of(model);
  return noted.complete;
}

// --- results ---------------------------------------------------------------------------------------------------------

TEST(Session, AProgramWithoutThreadsHasOneExecution) {
  ScriptedProgram program;
  const Exploration result = explore_all(program, model::Model::kCpp20);
  EXPECT_EQ(result.counts.complete, 1);
  EXPECT_EQ(result.counts.blocked, 0);
  EXPECT_FALSE(result.counts.bound_was_hit);
  EXPECT_FALSE(result.counts.stopped);
}

TEST(Session, AReadModifyWriteReturnsTheOldValue) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location(5);
    program.thread([=](Steps& steps) {
      steps.note(steps.fetch_add(x, 3));
      steps.note(steps.rmw(RmwFunction::kExchange, x, 1));
      steps.note(steps.load(x));
    });
    EXPECT_EQ(noted_by(program, model), (std::map<Notes, int>{{{5, 8, 1}, 1}}));
  }
}

TEST(Session, ACompareExchangeTellsWhetherItSucceededAndWhatItRead) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location(5);
    program.thread([=](Steps& steps) {
      for (const Value guess : {4, 5}) {
        Value expected = guess;
        steps.note(steps.compare_exchange(x, expected, 9) ? 1 : 0);
        steps.note(expected);
      }
      steps.note(steps.load(x));
    });
    EXPECT_EQ(noted_by(program, model), (std::map<Notes, int>{{{0, 5, 1, 5, 9}, 1}}));
  }
}

TEST(Session, AWeakCompareExchangeAlsoFailsWithTheExpectedValue) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location(5);
    program.thread([=](Steps& steps) {
      Value expected = 5;
      steps.note(steps.compare_exchange(x, expected, 9, true) ? 1 : 0);
      steps.note(expected);
      steps.note(steps.load(x));
    });
    EXPECT_EQ(noted_by(program, model), (std::map<Notes, int>{{{1, 5, 9}, 1}, {{0, 5, 5}, 1}}));
  }
}

TEST(Session, ControlFlowFollowsWhatWasRead) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location(), y = program.location(), z = program.location(30);
    program.thread([=](Steps& steps) {
      const LocationId where = steps.load(x) == 0 ? y : z;
      steps.note(steps.load(where));
      if (where == z) steps.store(y, 7);
    });
    program.thread([=](Steps& steps) {
      steps.store(x, 1);
      steps.note(steps.load(y));
    });
    // x = 0: y is 0 and stays so. x = 1: z is 30, and y is 0 or 7.
    EXPECT_EQ(noted_by(program, model), (std::map<Notes, int>{{{0, 0}, 1}, {{30, 0}, 1}, {{30, 7}, 1}}))
        << model::name_of(model);
  }
}

TEST(Session, ALoopRunsUntilItSeesTheValue) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    program.thread([=](Steps& steps) {
      Value turns = 0;
      for (; turns < 4 && steps.load(x) == 0; ++turns) {
      }
      steps.note(turns);
    });
    program.thread([=](Steps& steps) { steps.store(x, 1); });
    EXPECT_EQ(noted_by(program, model), (std::map<Notes, int>{{{0}, 1}, {{1}, 1}, {{2}, 1}, {{3}, 1}, {{4}, 1}}))
        << model::name_of(model);
  }
}

TEST(Session, NotesAddNoExecutions) {
  for (const model::Model model : kAllModels)
    for (const bool with_notes : {false, true}) {
      ScriptedProgram program;
      const LocationId x = program.location();
      for (Value t = 0; t < 3; ++t)
        program.thread([=](Steps& steps) {
          if (with_notes) steps.note(10 * t);
          steps.store(x, t + 1);
          if (with_notes) steps.note(10 * t + 1);
          steps.load(x);
          if (with_notes) steps.note(10 * t + 2);
        });
      const Exploration result = explore_all(program, model);
      // In cpp20 and rc11: who reads whose store is a forest of three threads (16 of them, Cayley), the roots read
      // their own.
      if (model == model::Model::kCpp20 || model == model::Model::kRc11) {
        EXPECT_EQ(result.counts.complete, 16) << model::name_of(model);
      }
      EXPECT_EQ(result.classes, BruteForce(program, model).run()) << model::name_of(model);
    }
}

// --- locations -------------------------------------------------------------------------------------------------------

/// Locations that nobody declared, as in a native program: numbers are given as they come up, in whichever execution
/// that is. Thread 0 comes across a when it reads 2, and across b and then a when it reads 1.
void use_locations_in_different_orders(ScriptedProgram& program) {
  const LocationId x = program.location(100), a = program.location(101), b = program.location(102),
                   c = program.location(103);
  program.hide_locations();
  program.thread([=](Steps& steps) {
    const Value seen = steps.load(x);
    steps.note(seen);
    if (seen == 1) steps.note(steps.load(b));
    if (seen < 3) steps.note(steps.load(a));
    if (seen == 100) steps.note(steps.load(c));
  });
  program.thread([=](Steps& steps) { steps.store(x, 1); });
  program.thread([=](Steps& steps) { steps.store(x, 2); });
}

TEST(Session, LocationsThatComeUpLaterHaveTheirInitialValues) {
  for (const model::Model model : {model::Model::kCpp20, model::Model::kRc11}) {
    ScriptedProgram program;
    use_locations_in_different_orders(program);
    EXPECT_EQ(noted_by(program, model), (std::map<Notes, int>{{{100, 103}, 1}, {{1, 102, 101}, 1}, {{2, 101}, 1}}))
        << model::name_of(model);
  }
}

// --- endings ---------------------------------------------------------------------------------------------------------

TEST(Session, AFailedAssumptionIsABlockedExecution) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    program.thread([=](Steps& steps) {
      steps.assume(steps.load(x) == 1);
      steps.note(1);
    });
    program.thread([=](Steps& steps) { steps.store(x, 1); });
    Noted noted;
    const Exploration result = explore_all(program, model, &noted);
    EXPECT_EQ(result.counts.complete, 1);
    EXPECT_EQ(result.counts.blocked, 1);
    EXPECT_FALSE(result.counts.bound_was_hit);
    EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{1}, 1}}));
    EXPECT_EQ(noted.blocked, (std::map<Notes, int>{{{}, 1}}));
  }
}

TEST(Session, ABoundThatWasHitIsRemembered) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    program.thread([=](Steps& steps) {
      for (int turn = 0; steps.load(x) == 0; ++turn)
        if (turn == 2) steps.block(Cut::kBound);
    });
    program.thread([=](Steps& steps) { steps.store(x, 1); });
    const Exploration result = explore_all(program, model);
    EXPECT_EQ(result.counts.complete, 3);
    EXPECT_EQ(result.counts.blocked, 1);
    EXPECT_TRUE(result.counts.bound_was_hit);
  }
}

TEST(Session, AThreadMayBeBlockedFromItsStart) {
  ScriptedProgram program;
  program.thread([](Steps& steps) { steps.block(Cut::kAssumption); });
  program.thread([](Steps& steps) { steps.note(3); });
  Noted noted;
  const Exploration result = explore_all(program, model::Model::kCpp20, &noted);
  EXPECT_EQ(result.counts.complete, 0);
  EXPECT_EQ(result.counts.blocked, 1);
  EXPECT_EQ(noted.blocked, (std::map<Notes, int>{{{3}, 1}}));
}

class Endings final : public engine::Observer {
 public:
  bool finished(const engine::Execution& execution) override {
    seen.insert({execution.ending, execution.cut});
    return true;
  }
  std::set<std::pair<engine::Ending, Cut>> seen;
};

TEST(Session, OfSeveralReasonsTheStrongestIsReported) {
  ScriptedProgram program;
  program.thread([](Steps& steps) { steps.block(Cut::kBound); });
  program.thread([](Steps& steps) { steps.block(Cut::kAssumption); });
  Endings endings;
  explore_all(program, model::Model::kCpp20, &endings);
  EXPECT_EQ(endings.seen, (std::set<std::pair<engine::Ending, Cut>>{{engine::Ending::kBlocked, Cut::kBound}}));
}

TEST(Session, JoiningABlockedThreadIsADeadlock) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    const ThreadId child{1};
    program.thread([=](Steps& steps) {
      steps.create(child);
      steps.store(x, 1);
      steps.join(child);
      steps.note(1);
    });
    program.created_thread([=](Steps& steps) { steps.assume(steps.load(x) == 1); });
    Noted noted;
    const Exploration result = explore_all(program, model, &noted);
    EXPECT_EQ(result.counts.complete, 1);
    EXPECT_EQ(result.counts.blocked, 1);
    EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{1}, 1}}));
    EXPECT_EQ(noted.blocked, (std::map<Notes, int>{{{}, 1}}));
  }
}

TEST(Session, ThreadsThatJoinEachOtherAreADeadlock) {
  ScriptedProgram program;
  program.thread([](Steps& steps) { steps.join(ThreadId{1}); });
  program.thread([](Steps& steps) { steps.join(ThreadId{0}); });
  Endings endings;
  EXPECT_EQ(explore_all(program, model::Model::kCpp20, &endings).counts.blocked, 1);
  EXPECT_EQ(endings.seen, (std::set<std::pair<engine::Ending, Cut>>{{engine::Ending::kBlocked, Cut::kNothing}}));
}

// --- who may stop it -------------------------------------------------------------------------------------------------

/// Says stop after so many executions.
class StopAfter final : public engine::Observer {
 public:
  explicit StopAfter(int executions) : left_(executions) {}
  bool finished(const engine::Execution&) override {
    ++seen;
    return --left_ > 0;
  }
  int seen = 0;

 private:
  int left_;
};

void add_independent_loads(ScriptedProgram& program) {
  const LocationId x = program.location();
  program.thread([=](Steps& steps) { steps.store(x, 1); });
  for (int t = 0; t < 4; ++t) program.thread([=](Steps& steps) { steps.load(x); });
}

TEST(Session, AnObserverStopsIt) {
  ScriptedProgram program;
  add_independent_loads(program);
  explore::Exhaustive exhaustive(model::Model::kCpp20);
  engine::Session session(program, exhaustive);
  StopAfter first(3), second(100);
  session.add(first);
  session.add(second);
  const engine::Counts counts = session.run();
  EXPECT_TRUE(counts.stopped);
  EXPECT_EQ(counts.complete, 3);
  EXPECT_EQ(first.seen, 3);
  EXPECT_EQ(second.seen, 3) << "the other observers see the last execution too";
}

TEST(Session, ItRunsToItsEndIfNobodyStopsIt) {
  ScriptedProgram program;
  add_independent_loads(program);
  explore::Exhaustive exhaustive(model::Model::kCpp20);
  engine::Session session(program, exhaustive);
  StopAfter observer(17);
  session.add(observer);
  const engine::Counts counts = session.run();
  EXPECT_FALSE(counts.stopped);
  EXPECT_EQ(counts.complete, 16);
}

TEST(Session, StopWhenIsAskedBeforeEachExecution) {
  for (const int stop_at : {1, 5, 16}) {
    ScriptedProgram program;
    add_independent_loads(program);
    explore::Exhaustive exhaustive(model::Model::kCpp20);
    engine::Session session(program, exhaustive);
    struct {
      int asked, stop_at;
    } data{0, stop_at};
    session.stop_when(
        [](void* of) { return ++static_cast<decltype(data)*>(of)->asked == static_cast<decltype(data)*>(of)->stop_at; },
        &data);
    const engine::Counts counts = session.run();
    EXPECT_TRUE(counts.stopped);
    EXPECT_EQ(counts.complete + counts.blocked + counts.given_up, stop_at - 1);
    EXPECT_EQ(data.asked, stop_at);
  }
}

TEST(Session, ItStopsAtOnceInTheMiddleOfAnExecution) {
  ScriptedProgram program;
  const LocationId x = program.location();
  bool flag = false;
  Value stores = 0;
  program.thread([&, x](Steps& steps) {
    for (;;) {
      steps.store(x, 1);
      flag = ++stores > 1000;  // each run of the thread from its start goes one further
    }
  });
  explore::Exhaustive exhaustive(model::Model::kCpp20);
  engine::Session session(program, exhaustive);
  StopAfter observer(100);
  session.add(observer);
  session.stop_at_once_when(flag);
  const engine::Counts counts = session.run();
  EXPECT_TRUE(counts.stopped);
  EXPECT_EQ(counts.complete + counts.blocked, 0);
  EXPECT_EQ(counts.given_up, 1);
  EXPECT_EQ(observer.seen, 0) << "it is no execution to judge";
}

// --- programs that are not deterministic -------------------------------------------------------------------------------

/// The thread changes its mind with each run from the start.
void expect_difference(const std::function<void(Steps&, LocationId, int)>& body, bool repeats = true) {
  ScriptedProgram program;
  const LocationId x = program.location();
  int runs = 0;
  program.thread([&, x](Steps& steps) { body(steps, x, runs++); });
  explore::Exhaustive exhaustive(model::Model::kCpp20);
  engine::Session session(program, exhaustive);
  session.set_repeating(repeats);
  EXPECT_THROW(session.run(), engine::NotDeterministic);
}

TEST(Session, AnotherOperationIsNoticed) {
  expect_difference([](Steps& steps, LocationId x, int run) { run < 2 ? steps.store(x, 1) : steps.fence(MemoryOrder::kSeqCst); });
}
TEST(Session, AnotherValueIsNoticed) {
  expect_difference([](Steps& steps, LocationId x, int run) { steps.store(x, run < 2 ? 1 : 2); });
}
TEST(Session, AnotherMemoryOrderIsNoticed) {
  expect_difference([](Steps& steps, LocationId x, int run) { steps.load(x, run < 2 ? MemoryOrder::kRelaxed : MemoryOrder::kAcquire); });
}
TEST(Session, AnOperationLessIsNoticed) {
  expect_difference([](Steps& steps, LocationId x, int run) {
    if (run < 2) steps.store(x, 1);
  });
}
TEST(Session, AnOperationMoreIsNoticed) {
  expect_difference([](Steps& steps, LocationId x, int run) {
    steps.store(x, 1);
    if (run > 2) steps.load(x);
  });
}
TEST(Session, ADifferenceInALaterExecutionIsNoticed) {
  expect_difference(
      [](Steps& steps, LocationId x, int run) {
        steps.store(x, run < 3 ? 1 : 2);
        steps.choose(2);
      },
      false);
}
TEST(Session, WhatIsDeterministicMayBeRunTwice) {
  ScriptedProgram program;
  add_independent_loads(program);
  explore::Exhaustive exhaustive(model::Model::kCpp20);
  engine::Session session(program, exhaustive);
  session.set_repeating(true);
  EXPECT_EQ(session.run().complete, 16);
}

TEST(Session, StopWhenCannotStopWhatIsOver) {
  ScriptedProgram program;
  add_independent_loads(program);
  explore::Exhaustive exhaustive(model::Model::kCpp20);
  engine::Session session(program, exhaustive);
  int asked = 0;
  session.stop_when([](void* data) { return ++*static_cast<int*>(data) == 17; }, &asked);
  const engine::Counts counts = session.run();
  EXPECT_FALSE(counts.stopped) << "all 16 executions were made";
  EXPECT_EQ(asked, 16);
}

}  // namespace
}  // namespace ordeal::tests
