// A program that is kept at milestones is explored as one that is run from its start each time.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/not_deterministic.h"
#include "keeping_program.h"
#include "sight.h"
#include "tests/support/models.h"
#include "tests/support/scale.h"
#include "tests/support/sync_recipe.h"

namespace ordeal::tests {
namespace {

using Build = std::function<void(ScriptedProgram&)>;

ScriptedProgram built(const Build& build) {
  ScriptedProgram program;
  build(program);
  return program;
}

struct Explored {
  Exploration found;
  Noted noted;
};
Explored explored(engine::Program& program, model::Model model) {
  Explored result;
  result.found = explore_all(program, model, &result.noted);
  return result;
}

void expect_same(const Explored& kept, const Explored& plain) {
  EXPECT_EQ(kept.found.repeated, 0);
  EXPECT_EQ(kept.found.classes, plain.found.classes);
  EXPECT_EQ(kept.found.counts.complete, plain.found.counts.complete);
  EXPECT_EQ(kept.found.counts.blocked, plain.found.counts.blocked);
  EXPECT_EQ(kept.found.counts.given_up, plain.found.counts.given_up);
  EXPECT_EQ(kept.noted.complete, plain.noted.complete);
  EXPECT_EQ(kept.noted.blocked, plain.noted.blocked);
}

/// The program as it is explored without milestones.
Explored explored_plainly(const Build& build, model::Model model) {
  ScriptedProgram program = built(build);
  return explored(program, model);
}

// --- programs --------------------------------------------------------------------------------------------------------

/// The first thread sets things up, creates the others, and joins them in the end.
void fork_and_join(ScriptedProgram& program, const std::vector<ScriptedProgram::Body>& children, const ScriptedProgram::Body& last) {
  const auto count = static_cast<int>(children.size());
  const LocationId setup = program.location();
  program.thread([=](Steps& steps) {
    for (Value i = 0; i < 3; ++i) steps.store(setup, i);
    for (int t = 1; t <= count; ++t) steps.create(ThreadId{t});
    for (int t = 1; t <= count; ++t) steps.join(ThreadId{t});
    steps.note(steps.load(setup));
    last(steps);
  });
  for (const ScriptedProgram::Body& child : children) program.created_thread(child);
}

void two_threads_of_rmws(ScriptedProgram& program) {
  const LocationId x = program.location(5);
  const auto add = [=](Steps& steps) {
    for (int i = 0; i < 3; ++i) steps.note(steps.fetch_add(x, 1));
  };
  fork_and_join(program, {add, add}, [=](Steps& steps) { steps.note(steps.load(x)); });
}

void message_passing(ScriptedProgram& program) {
  const LocationId x = program.location(), y = program.location();
  const auto write = [=](Steps& steps) {
    for (Value i = 1; i <= 3; ++i) {
      steps.store(x, i);
      steps.store(y, i, MemoryOrder::kRelease);
    }
  };
  const auto read = [=](Steps& steps) {
    for (int i = 0; i < 2; ++i) {
      const Value flag = steps.load(y, MemoryOrder::kAcquire);
      steps.note(flag);
      if (flag != 0) steps.note(steps.load(x));
    }
  };
  fork_and_join(program, {write, read}, [](Steps&) {});
}

void three_threads_that_store_and_load(ScriptedProgram& program) {
  const LocationId x = program.location(), y = program.location();
  std::vector<ScriptedProgram::Body> children;
  for (Value t = 1; t <= 3; ++t)
    children.push_back([=](Steps& steps) {
      steps.store(t == 2 ? y : x, t);
      steps.note(steps.load(t == 3 ? x : y));
      steps.note(steps.load(x));
    });
  fork_and_join(program, children, [=](Steps& steps) { steps.note(steps.load(x)); });
}

/// Nobody creates anybody, so that milestones come from what is run again alone.
void readers_of_a_writer(ScriptedProgram& program) {
  const LocationId x = program.location();
  program.thread([=](Steps& steps) {
    for (Value i = 1; i <= 6; ++i) steps.store(x, i);
  });
  for (int t = 0; t < 2; ++t)
    program.thread([=](Steps& steps) {
      steps.note(steps.load(x));
      steps.note(steps.load(x));
    });
}

/// What the first thread reads may be another store's later: then its milestones are of no use.
void created_behind_reads(ScriptedProgram& program) {
  const LocationId x = program.location(), y = program.location();
  program.thread([=](Steps& steps) {
    steps.create(ThreadId{1});
    const Value seen = steps.load(x);
    steps.note(seen);
    if (seen != 2) steps.create(ThreadId{2});
    steps.note(steps.choose(2));
    steps.fetch_add(y, 1);
    steps.join(ThreadId{1});
    if (seen != 2) steps.join(ThreadId{2});
  });
  program.created_thread([=](Steps& steps) {
    for (Value i = 1; i <= 3; ++i) steps.store(x, i);
    steps.note(steps.fetch_add(y, 10));
  });
  program.created_thread([=](Steps& steps) { steps.note(steps.fetch_add(y, 100)); });
}

struct Named {
  const char* name;
  Build build;
};
const std::vector<Named> kPrograms{
    {"two threads of RMWs", two_threads_of_rmws},
    {"message passing", message_passing},
    {"three threads", three_threads_that_store_and_load},
    {"readers of a writer", readers_of_a_writer},
    {"created behind reads", created_behind_reads},
};

// --- the same classes ------------------------------------------------------------------------------------------------

TEST(Keeping, FindsTheSameClassesAndCounts) {
  for (const Named& program : kPrograms)
    for (const model::Model model : kAllModels)
      for (const bool asks : {false, true}) {
        SCOPED_TRACE(std::string(program.name) + ", " + std::string(model::name_of(model)) + (asks ? ", asks for known results" : ""));
        ScriptedProgram scripted = built(program.build);
        if (asks) scripted.ask_for_known_results();
        KeepingProgram keeping(scripted);
        expect_same(explored(keeping, model), explored_plainly(program.build, model));
        EXPECT_GT(keeping.returns, 0);
      }
}

TEST(Keeping, SavesMostRunsFromTheStart) {
  for (const Build& build : {Build(two_threads_of_rmws), Build(message_passing), Build(three_threads_that_store_and_load)}) {
    KeepingProgram keeping(built(build)), plain(built(build));
    plain.can_be_kept = false;
    explored(keeping, model::Model::kCpp20);
    explored(plain, model::Model::kCpp20);
    EXPECT_EQ(plain.returns, 0);
    EXPECT_EQ(keeping.begins + keeping.returns, plain.begins) << "each execution is run again once";
    EXPECT_LT(keeping.begins * 5, plain.begins);
    EXPECT_LT(keeping.resumes, plain.resumes);
    EXPECT_GT(keeping.most_kept, 1);
  }
}

/// The search, but it does not tell that it will come back.
class WithoutForesight final : public engine::Decider {
 public:
  model::ExecutionGraph& graph() override { return exhaustive_.graph(); }
  bool advance() override { return exhaustive_.advance(); }
  bool decide(const engine::Operation& operation) override { return exhaustive_.decide(operation); }
  bool can_go_on(const engine::Operation& operation) override { return exhaustive_.can_go_on(operation); }

 private:
  explore::Exhaustive exhaustive_{model::Model::kCpp20};
};

TEST(Keeping, AnOperationWithAlternativesLeftIsKeptWhenItFirstComes) {
  for (const Build& build : {Build(message_passing), Build(readers_of_a_writer)}) {
    KeepingProgram keeping(built(build)), later(built(build));
    const Exploration found = explore_all(keeping, model::Model::kCpp20);
    WithoutForesight decider;
    engine::Session session(later, decider);
    EXPECT_EQ(session.run().complete, found.counts.complete);
    EXPECT_LT(keeping.resumes, later.resumes);
  }
}

/// How often it is kept and returned to, if its threads stop at each operation and if they go on at once where results are known.
void expect_same_milestones_if_asked(const Build& build) {
  ScriptedProgram scripted = built(build);
  KeepingProgram keeping(scripted);
  scripted.ask_for_known_results();
  KeepingProgram asking(scripted);
  explored(keeping, model::Model::kCpp20);
  explored(asking, model::Model::kCpp20);
  EXPECT_EQ(asking.keeps, keeping.keeps);
  EXPECT_EQ(asking.returns, keeping.returns);
  EXPECT_EQ(asking.begins, keeping.begins);
}

TEST(Keeping, IsTheSameWhereResultsAreKnown) {
  for (const Named& program : kPrograms) {
    SCOPED_TRACE(program.name);
    expect_same_milestones_if_asked(program.build);
  }
}

TEST(Keeping, TheFirstMilestoneIsReachedOnce) {
  KeepingProgram keeping(built(two_threads_of_rmws));
  keeping.most_milestones = 1;
  explored(keeping, model::Model::kCpp20);
  EXPECT_LE(keeping.begins, 3) << "declared, the first execution, the one that is kept";
  EXPECT_GT(keeping.returns, 10);
}

// What they do before it is not run again then.
TEST(Keeping, AtTheFirstMilestoneAllThreadsStandAtOperations) {
  KeepingProgram keeping(built(two_threads_of_rmws));
  explored(keeping, model::Model::kCpp20);
  EXPECT_EQ(keeping.asked_at_first, (std::set<ThreadId>{ThreadId{0}, ThreadId{1}, ThreadId{2}}));
}

// --- programs that cannot be kept ------------------------------------------------------------------------------------

TEST(Keeping, AProgramThatCannotBeKeptIsRunFromItsStart) {
  for (const Named& program : kPrograms) {
    SCOPED_TRACE(program.name);
    KeepingProgram keeping(built(program.build));
    keeping.can_be_kept = false;
    expect_same(explored(keeping, model::Model::kCpp20), explored_plainly(program.build, model::Model::kCpp20));
    EXPECT_GT(keeping.keeps, 0);
    EXPECT_EQ(keeping.returns, 0);
  }
}

TEST(Keeping, AProgramMayRefuseLaterMilestones) {
  for (const Named& program : kPrograms)
    for (const int most : {1, 2}) {
      SCOPED_TRACE(program.name);
      KeepingProgram keeping(built(program.build));
      keeping.most_milestones = most;
      expect_same(explored(keeping, model::Model::kCpp20), explored_plainly(program.build, model::Model::kCpp20));
      EXPECT_EQ(keeping.most_kept, most);
      EXPECT_GT(keeping.returns, 0);
    }
}

// --- programs that go wrong ------------------------------------------------------------------------------------------

TEST(Keeping, AProgramThatGoesWrongBehindAMilestoneIsRunFromItsStart) {
  for (const Named& program : kPrograms)
    for (const int first : {1, 2, 7}) {
      SCOPED_TRACE(std::string(program.name) + ", from return " + std::to_string(first) + " on");
      KeepingProgram keeping(built(program.build));
      keeping.wrong_from_return = first;
      expect_same(explored(keeping, model::Model::kCpp20), explored_plainly(program.build, model::Model::kCpp20));
      EXPECT_EQ(keeping.returns, first - 1 + 4) << "after four failures it is not kept any more";
    }
}

TEST(Keeping, AProgramThatGoesWrongFromItsStartTooIsNotDeterministic) {
  KeepingProgram keeping(built(two_threads_of_rmws));
  keeping.wrong_from_return = 5;
  keeping.wrong_from_begin = 4;  // the first that is not needed but for the failure
  EXPECT_THROW(explored(keeping, model::Model::kCpp20), engine::NotDeterministic);
  EXPECT_EQ(keeping.returns, 5);
  EXPECT_EQ(keeping.begins, 4);
}

TEST(Keeping, WhatIsRunTwiceAtFirstIsKeptAllTheSame) {
  KeepingProgram keeping(built(two_threads_of_rmws));
  explore::Exhaustive exhaustive(model::Model::kCpp20);
  engine::Session session(keeping, exhaustive);
  session.set_repeating(true);
  EXPECT_EQ(session.run().complete, explored_plainly(two_threads_of_rmws, model::Model::kCpp20).found.counts.complete);
  EXPECT_GT(keeping.returns, keeping.begins);
}

// --- random programs -------------------------------------------------------------------------------------------------

struct RandomStep {
  enum class Kind { kLoad, kStore, kAdd, kExchange, kChoose, kNote } kind;
  int location;
  Value value;
};
using RandomSteps = std::vector<RandomStep>;

RandomSteps random_steps(base::Rng& rng, int most) {
  RandomSteps steps;
  for (int i = rng.below(most + 1); i > 0; --i)
    steps.push_back({static_cast<RandomStep::Kind>(rng.below(rng.chance(20) ? 6 : 3)), rng.below(2), 1 + rng.below(2)});
  return steps;
}

void perform(Steps& steps, const RandomSteps& all, const std::vector<LocationId>& locations) {
  Value last = 0;
  for (const RandomStep& step : all) {
    const LocationId location = locations[static_cast<std::size_t>(step.location)];
    switch (step.kind) {
      case RandomStep::Kind::kLoad: last = steps.load(location, MemoryOrder::kAcquire); break;
      case RandomStep::Kind::kStore: steps.store(location, step.value + last, MemoryOrder::kRelease); break;
      case RandomStep::Kind::kAdd: last = steps.fetch_add(location, step.value); break;
      case RandomStep::Kind::kExchange: steps.compare_exchange(location, last, step.value); break;
      case RandomStep::Kind::kChoose: last = steps.choose(2); break;
      case RandomStep::Kind::kNote: steps.note(last); break;
    }
    if (last == 3) return;  // what comes depends on what was read
  }
}

/// Thread 0 creates 1 and 2, with something in between; one of them creates 3; in the end thread 0 joins some.
void add_random_threads(ScriptedProgram& program, std::uint64_t seed) {
  base::Rng rng(seed);
  std::vector<LocationId> locations;
  for (Value initial = 0; initial < 2; ++initial) locations.push_back(program.location(initial));
  const RandomSteps first = random_steps(rng, 3), between = random_steps(rng, 1), behind = random_steps(rng, 2);
  const bool joins_first = rng.chance(50), joins_second = rng.chance(50);
  program.thread([=](Steps& steps) {
    perform(steps, first, locations);
    steps.create(ThreadId{1});
    perform(steps, between, locations);
    steps.create(ThreadId{2});
    if (joins_second) steps.join(ThreadId{2});
    perform(steps, behind, locations);
    if (joins_first) steps.join(ThreadId{1});
    steps.note(steps.load(locations[0]));
  });
  for (int t = 1; t <= 2; ++t) {
    const RandomSteps before = random_steps(rng, 2), after = random_steps(rng, 2);
    const bool creates = t == 1 && rng.chance(40);
    program.created_thread([=](Steps& steps) {
      perform(steps, before, locations);
      if (creates) steps.create(ThreadId{3});
      perform(steps, after, locations);
    });
  }
  const RandomSteps last = random_steps(rng, 2);
  program.created_thread([=](Steps& steps) { perform(steps, last, locations); });
}

struct KeptSoFar {
  int returns = 0, several = 0;
};
void expect_to_be_used(const KeptSoFar& kept, int programs) {
  if (programs < 100) return;  // too few to tell
  EXPECT_GT(kept.returns, programs * 4);
  EXPECT_GT(kept.several, programs / 5);
}
/// Explores it with milestones, in one of several ways, and without; counts what was kept.
void compare(const Build& build, base::Rng rng, model::Model model, KeptSoFar& kept, bool may_go_wrong) {
  ScriptedProgram scripted = built(build);
  if (rng.chance(50)) scripted.ask_for_known_results();
  if (rng.chance(30)) scripted.hide_locations();
  KeepingProgram keeping(scripted);
  if (rng.chance(20)) keeping.most_milestones = 1 + rng.below(2);
  if (may_go_wrong && rng.chance(20)) keeping.wrong_from_return = 1 + rng.below(10);
  expect_same(explored(keeping, model), explored_plainly(build, model));
  kept.returns += keeping.returns;
  kept.several += keeping.most_kept > 1 ? 1 : 0;
}

TEST(Keeping, FindsTheSameInRandomPrograms) {
  KeptSoFar kept;
  const int seeds = scaled(120);
  for (int seed = 0; seed < seeds && !::testing::Test::HasFailure(); ++seed) {
    const model::Model model = kAllModels[static_cast<std::size_t>(seed) % kAllModels.size()];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(model::name_of(model)));
    const auto number = static_cast<std::uint64_t>(seed);
    compare([=](ScriptedProgram& program) { add_random_threads(program, number); }, base::Rng(number, 1), model, kept, true);
  }
  expect_to_be_used(kept, seeds);
}

const SyncFlavour kWaiting{
    .name = "all", .percent_access = 50, .percent_try = 20, .percent_nested = 20, .percent_await = 30, .percent_condition = 20};

// With attempts (model/event.h), which the program never hears of.
TEST(Keeping, FindsTheSameInRandomProgramsThatWait) {
  KeptSoFar kept;
  const int seeds = scaled(120);
  for (int seed = 0; seed < seeds && !::testing::Test::HasFailure(); ++seed) {
    const model::Model model = kAllModels[static_cast<std::size_t>(seed) % kAllModels.size()];
    base::Rng rng(static_cast<std::uint64_t>(seed));
    SyncRecipe recipe = random_sync_recipe(rng, kWaiting);
    recipe.is_forked = rng.chance(80);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(model::name_of(model)) + "\n" + text_of(recipe));
    compare([&](ScriptedProgram& program) { add_threads(recipe, program); }, rng, model, kept, false);  // nobody would notice it at an attempt
  }
  expect_to_be_used(kept, seeds);
}

TEST(Keeping, IsTheSameBehindAnAttemptWhereResultsAreKnown) {
  for (int seed = 0; seed < 60 && !::testing::Test::HasFailure(); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed));
    const SyncRecipe recipe = random_sync_recipe(rng, kWaiting);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text_of(recipe));
    expect_same_milestones_if_asked([&](ScriptedProgram& program) { add_threads(recipe, program); });
  }
}

}  // namespace
}  // namespace ordeal::tests
