// Numbers of classes up to symmetry that can be worked out by hand.
#include <functional>

#include <gtest/gtest.h>

#include "model/symmetry.h"
#include "tests/support/exploration.h"
#include "tests/support/models.h"
#include "tests/support/scripted_program.h"

namespace ordeal::tests {
namespace {

using model::Model;

/// The first thread creates `count` symmetric threads, then does something else.
void add_symmetric(ScriptedProgram& program, int count, const ScriptedProgram::Body& body, const ScriptedProgram::Body& main = [](Steps&) {}) {
  program.thread([=](Steps& steps) {
    for (int t = 1; t <= count; ++t) steps.create(ThreadId{t}, model::group_named_by(ThreadId{1}));
    main(steps);
    for (int t = 1; t <= count; ++t) steps.join(ThreadId{t});
  });
  for (int t = 0; t < count; ++t) program.created_thread(body);
}

Exploration explored(ScriptedProgram& program, Model model) {
  Exploration result = explore_all(program, model, nullptr, nullptr, true);
  EXPECT_EQ(result.repeated, 0) << model::name_of(model);
  return result;
}

/// Each RMW reads what another has written, or the initial value: only who comes when is open.
TEST(Symmetry, NIncrementsAreOneClass) {
  for (const Model model : kAllModels)
    for (int n = 1; n <= 7; ++n) {
      ScriptedProgram program;
      const LocationId x = program.location();
      add_symmetric(program, n, [=](Steps& steps) { steps.fetch_add(x, 1); });
      const Exploration result = explored(program, model);
      EXPECT_EQ(result.counts.complete, 1) << n;
      EXPECT_EQ(result.counts.given_up, 0) << n;
    }
}

TEST(Symmetry, NCriticalSectionsAreOneClass) {
  for (const Model model : kAllModels)
    for (int n = 1; n <= 7; ++n) {
      ScriptedProgram program;
      const LocationId mutex = program.location(), x = program.location();
      add_symmetric(program, n, [=](Steps& steps) {
        steps.lock(mutex);
        steps.store(x, steps.load(x) + 1);
        steps.unlock(mutex);
      });
      // Only cpp20 and rc11 leave it to happens-before what is read; in the critical section that is the last store.
      const Exploration result = explored(program, model);
      EXPECT_EQ(result.counts.complete, 1) << n;
      EXPECT_EQ(result.counts.blocked, 0) << n;
    }
}

/// Sections of n threads with 2 each: who has its second when. Threads are told apart by when they had their first, so their
/// first come in order: the sequences of 2n in which each number comes twice, with first occurrences in order: (2n-1)!!.
TEST(Symmetry, TwoIncrementsEachAreAsManyAsPairings) {
  for (const Model model : kAllModels) {
    std::uint64_t pairings = 1;
    for (int n = 1; n <= 4; ++n) {
      pairings *= static_cast<std::uint64_t>(2 * n - 1);
      ScriptedProgram program;
      const LocationId x = program.location();
      add_symmetric(program, n, [=](Steps& steps) {
        steps.fetch_add(x, 1);
        steps.fetch_add(x, 1);
      });
      EXPECT_EQ(explored(program, model).counts.complete, pairings) << n;
    }
  }
}

/// A thread that is not symmetric comes in any place among the n.
TEST(Symmetry, AnotherThreadComesInAnyPlace) {
  for (const Model model : kAllModels)
    for (int n = 1; n <= 5; ++n) {
      ScriptedProgram program;
      const LocationId mutex = program.location();
      const auto section = [=](Steps& steps) {
        steps.lock(mutex);
        steps.unlock(mutex);
      };
      add_symmetric(program, n, section, section);
      EXPECT_EQ(explored(program, model).counts.complete, static_cast<std::uint64_t>(n) + 1) << n;
    }
}

/// Two philosophers of the same code: x then y. No deadlock; but of x-then-y and y-then-x, two of each, there is one up to symmetry.
TEST(Symmetry, ThreadsOfOneGroupOnlyAreExchanged) {
  ScriptedProgram program;
  const LocationId x = program.location(), y = program.location();
  const auto both = [](LocationId first, LocationId second) {
    return [=](Steps& steps) {
      steps.lock(first);
      steps.lock(second);
      steps.unlock(second);
      steps.unlock(first);
    };
  };
  program.thread([=](Steps& steps) {
    for (int t = 1; t <= 2; ++t) steps.create(ThreadId{t}, model::group_named_by(ThreadId{1}));
    for (int t = 3; t <= 4; ++t) steps.create(ThreadId{t}, model::group_named_by(ThreadId{3}));
  });
  for (int t = 0; t < 2; ++t) program.created_thread(both(x, y));
  for (int t = 0; t < 2; ++t) program.created_thread(both(y, x));
  const Exploration reduced = explored(program, Model::kCpp20);
  const Exploration all = explore_all(program, Model::kCpp20);
  // Complete: the four come one after the other. 4! sequences, 2·2 of which are the same up to symmetry.
  EXPECT_EQ(all.counts.complete, 24);
  EXPECT_EQ(reduced.counts.complete, 6);
  EXPECT_GT(reduced.counts.blocked, 0);
  EXPECT_EQ(all.counts.blocked, 4 * reduced.counts.blocked);
}

/// Main locks x and then waits for it for ever; of two that want x, none, one or both had it before. When nothing can run, each that waits may
/// have come first: the lower one, of those that cannot be told apart.
TEST(Symmetry, WhoWaitsWhenNothingCanRunComesFirstInTurn) {
  for (const Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    const auto section = [=](Steps& steps) {
      steps.lock(x);
      steps.unlock(x);
    };
    const auto main = [=](Steps& steps) {
      steps.lock(x);
      steps.lock(x);
    };
    add_symmetric(program, 2, section, main);
    const Exploration all = explore_all(program, model), reduced = explored(program, model);
    EXPECT_EQ(all.counts.blocked, 1 + 2 + 2);
    EXPECT_EQ(reduced.counts.blocked, 1 + 1 + 1);
    EXPECT_EQ(reduced.counts.complete, 0);
  }
}

/// r = x; x = 1 in both: neither sees the other's store, or one does, whichever.
TEST(Symmetry, WhoSeesTheOthersStoreIsTheSecond) {
  for (const Model model : {Model::kCpp20, Model::kRc11}) {
    ScriptedProgram program;
    const LocationId x = program.location();
    const auto body = [=](Steps& steps) {
      steps.load(x);
      steps.store(x, 1);
    };
    add_symmetric(program, 2, body);
    EXPECT_EQ(explore_all(program, model).counts.complete, 3);
    EXPECT_EQ(explored(program, model).counts.complete, 2);
  }
}

/// Without the option groups mean nothing.
TEST(Symmetry, IsOffUnlessAskedFor) {
  ScriptedProgram program;
  const LocationId x = program.location();
  add_symmetric(program, 4, [=](Steps& steps) { steps.fetch_add(x, 1); });
  EXPECT_EQ(explore_all(program, Model::kCpp20).counts.complete, 24);
}

}  // namespace
}  // namespace ordeal::tests
