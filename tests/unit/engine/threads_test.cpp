// Threads that are created and joined while the program runs.
#include <gtest/gtest.h>

#include "model/race.h"
#include "sight.h"
#include "tests/support/brute_force.h"
#include "tests/support/models.h"

namespace ordeal::tests {
namespace {

constexpr MemoryOrder kPlain = MemoryOrder::kPlain;

/// Whether some execution has a race.
class Races final : public engine::Observer {
 public:
  bool finished(const engine::Execution& execution) override {
    found |= model::find_race(execution.graph).has_value();
    return true;
  }
  bool found = false;
};

/// The main thread creates `child`, joins it, and notes what it reads at x then.
std::map<Notes, int> read_after_join(const std::function<void(Steps&, LocationId x, LocationId y)>& child,
                                     model::Model model) {
  ScriptedProgram program;
  const LocationId x = program.location(), y = program.location();
  const ThreadId other{1};
  program.thread([=](Steps& steps) {
    steps.create(other);
    steps.join(other);
    steps.note(steps.load(x));
  });
  program.created_thread([=](Steps& steps) { child(steps, x, y); });
  Noted noted;
  const Exploration result = explore_all(program, model, &noted);
  EXPECT_EQ(result.repeated, 0);
  EXPECT_EQ(result.counts.blocked, 0);
  return noted.complete;
}

TEST(Threads, MessagePassingThroughJoinNeedsNoAtomics) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    const ThreadId child{1};
    program.thread([=](Steps& steps) {
      steps.store(x, 1, kPlain);
      steps.create(child);
      steps.join(child);
      steps.note(steps.load(x, kPlain));
    });
    program.created_thread([=](Steps& steps) { steps.store(x, steps.load(x, kPlain) + 1, kPlain); });
    Noted noted;
    Races races;
    EXPECT_EQ(explore_all(program, model, &noted).counts.complete, 1) << model::name_of(model);
    EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{2}, 1}})) << model::name_of(model);
    explore_all(program, model, &races);
    EXPECT_FALSE(races.found) << model::name_of(model);
  }
}

TEST(Threads, WithoutJoinThePlainAccessesRace) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    const ThreadId child{1};
    program.thread([=](Steps& steps) {
      steps.create(child);
      steps.load(x, kPlain);
    });
    program.created_thread([=](Steps& steps) { steps.store(x, 1, kPlain); });
    Races races;
    explore_all(program, model, &races);
    EXPECT_TRUE(races.found) << model::name_of(model);
  }
}

// In every model, whatever the last operations of the thread are.
TEST(Threads, AllThatAThreadDidIsSeenAfterJoin) {
  const std::map<Notes, int> expected{{{1}, 1}};
  for (const model::Model model : kAllModels) {
    SCOPED_TRACE(model::name_of(model));
    EXPECT_EQ(read_after_join([](Steps& s, LocationId x, LocationId) { s.store(x, 1); }, model), expected);
    EXPECT_EQ(read_after_join([](Steps& s, LocationId x, LocationId y) { s.store(x, 1), s.store(y, 1); }, model),
              expected);
    EXPECT_EQ(read_after_join([](Steps& s, LocationId x, LocationId) { s.fetch_add(x, 1); }, model), expected);
  }
}
TEST(Threads, AStoreBehindWhichTheThreadLoadsIsSeenAfterJoin) {
  for (const model::Model model : kAllModels)
    EXPECT_EQ(read_after_join([](Steps& s, LocationId x, LocationId y) { s.store(x, 1), s.load(y); }, model),
              (std::map<Notes, int>{{{1}, 1}}))
        << model::name_of(model);
}
TEST(Threads, AStoreBehindWhichTheThreadMakesAFenceIsSeenAfterJoin) {
  for (const model::Model model : kAllModels)
    EXPECT_EQ(read_after_join([](Steps& s, LocationId x, LocationId) { s.store(x, 1), s.fence(MemoryOrder::kRelease); },
                              model),
              (std::map<Notes, int>{{{1}, 1}}))
        << model::name_of(model);
}
TEST(Threads, AStoreBehindWhichTheThreadChoosesIsSeenAfterJoin) {
  for (const model::Model model : kAllModels)
    EXPECT_EQ(read_after_join([](Steps& s, LocationId x, LocationId) { s.store(x, 1), s.choose(1); }, model),
              (std::map<Notes, int>{{{1}, 1}}))
        << model::name_of(model);
}

TEST(Threads, WhatCameBeforeCreateIsSeenByTheThread) {
  for (const model::Model model : kAllModels)
    for (const bool note_first : {false, true}) {
      ScriptedProgram program;
      const LocationId x = program.location();
      const ThreadId child{1};
      program.thread([=](Steps& steps) {
        steps.store(x, 1, kPlain);
        steps.create(child);
      });
      program.created_thread([=](Steps& steps) {
        if (note_first) steps.note(9);
        steps.note(steps.load(x, kPlain));
      });
      Noted noted;
      Races races;
      explore_all(program, model, &noted);
      explore_all(program, model, &races);
      EXPECT_EQ(noted.complete, (std::map<Notes, int>{{note_first ? Notes{9, 1} : Notes{1}, 1}}))
          << model::name_of(model);
      EXPECT_FALSE(races.found) << model::name_of(model);
    }
}

TEST(Threads, AThreadThatIsNeverJoinedRunsToItsEnd) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    const ThreadId child{1};
    program.thread([=](Steps& steps) {
      steps.create(child);
      steps.note(steps.load(x));
    });
    program.created_thread([=](Steps& steps) {
      steps.store(x, 1);
      steps.note(5);
    });
    Noted noted;
    EXPECT_EQ(explore_all(program, model, &noted).counts.complete, 2);
    EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{0, 5}, 1}, {{1, 5}, 1}})) << model::name_of(model);
  }
}

TEST(Threads, AThreadWithoutOperationsCanBeJoined) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const ThreadId child{1};
    program.thread([=](Steps& steps) {
      steps.create(child);
      steps.join(child);
      steps.note(1);
    });
    program.created_thread([](Steps&) {});
    Noted noted;
    explore_all(program, model, &noted);
    EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{1}, 1}}));
  }
}

// The thread that joins is not the one that created: create → (empty thread) → join orders them all the same.
TEST(Threads, AnEmptyThreadPassesOnWhatItsCreatorDid) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location(), y = program.location();
    const ThreadId child{2};
    program.thread([=](Steps& steps) {
      steps.store(x, 1);
      steps.create(child);
      steps.store(y, 1);
    });
    program.thread([=](Steps& steps) {
      steps.assume(steps.load(y) == 1);  // only then there is something to join
      steps.join(child);
      steps.note(steps.load(x));
    });
    program.created_thread([](Steps&) {});
    Noted noted;
    explore_all(program, model, &noted);
    EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{1}, 1}})) << model::name_of(model);
  }
}

TEST(Threads, JoinWaitsForAThreadThatAnotherOneCreates) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    const ThreadId child{2};
    program.thread([=](Steps& steps) {
      steps.join(child);
      steps.note(steps.load(x));
    });
    program.thread([=](Steps& steps) { steps.create(child); });
    program.created_thread([=](Steps& steps) { steps.store(x, 3); });
    Noted noted;
    EXPECT_EQ(explore_all(program, model, &noted).counts.blocked, 0);
    EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{3}, 1}})) << model::name_of(model);
  }
}

TEST(Threads, AThreadIsCreatedOnlyInTheExecutionsThatCreateIt) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location(), y = program.location();
    const ThreadId child{2};
    program.thread([=](Steps& steps) {
      if (steps.load(x) == 0) return;
      steps.create(child);
      steps.join(child);
      steps.note(steps.load(y));
    });
    program.thread([=](Steps& steps) { steps.store(x, 1); });
    program.created_thread([=](Steps& steps) { steps.store(y, 4); });
    Noted noted;
    explore_all(program, model, &noted);
    EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{}, 1}, {{4}, 1}})) << model::name_of(model);
  }
}

/// main creates n threads, which each add 1 to x and may look at y; then it joins them all.
void add_fan_out(ScriptedProgram& program, int n, LocationId x) {
  program.thread([=](Steps& steps) {
    for (int t = 1; t <= n; ++t) steps.create(ThreadId{t});
    for (int t = n; t >= 1; --t) steps.join(ThreadId{t});
    steps.note(steps.load(x));
  });
  for (int t = 1; t <= n; ++t) program.created_thread([=](Steps& steps) { steps.fetch_add(x, 1); });
}

TEST(Threads, MoreOfThemThanTheClocksHadRoomForAreCounted) {
  for (const model::Model model : {model::Model::kCpp20, model::Model::kRc11, model::Model::kSc, model::Model::kTso}) {
    int factorial = 1;
    for (int n = 1; n <= 5; ++n) {
      factorial *= n;
      ScriptedProgram program;
      add_fan_out(program, n, program.location());
      Noted noted;
      const Exploration result = explore_all(program, model, &noted);
      EXPECT_EQ(result.counts.complete, static_cast<std::uint64_t>(factorial))
          << model::name_of(model) << ", n = " << n;
      EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{n}, factorial}})) << model::name_of(model) << ", n = " << n;
      EXPECT_EQ(result.repeated, 0);
    }
  }
}

TEST(Threads, ChildrenOfChildrenAreJoinedThroughTheirParents) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    program.thread([=](Steps& steps) {
      steps.create(ThreadId{1});
      steps.join(ThreadId{1});
      steps.note(steps.load(x, kPlain));
    });
    for (int t = 1; t <= 6; ++t)
      program.created_thread([=](Steps& steps) {
        if (t < 6) steps.create(ThreadId{t + 1});
        if (t < 6) steps.join(ThreadId{t + 1});
        steps.store(x, steps.load(x, kPlain) + 1, kPlain);
      });
    Noted noted;
    Races races;
    explore_all(program, model, &noted);
    explore_all(program, model, &races);
    EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{6}, 1}})) << model::name_of(model);
    EXPECT_FALSE(races.found);
  }
}

TEST(Threads, RevisitsCrossCreateAndJoin) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location(), y = program.location();
    program.thread([=](Steps& steps) {
      steps.load(x);
      steps.create(ThreadId{2});
      steps.load(y);
      steps.join(ThreadId{2});
      steps.load(x);
    });
    program.thread([=](Steps& steps) {
      steps.store(x, 1);
      steps.create(ThreadId{3});
      steps.store(y, steps.load(y) + 1);
      steps.join(ThreadId{3});
    });
    program.created_thread([=](Steps& steps) { steps.store(x, 2 + steps.load(y)); });
    program.created_thread([=](Steps& steps) { steps.fetch_add(y, 10); });
    const Exploration result = explore_all(program, model);
    EXPECT_EQ(result.repeated, 0) << model::name_of(model);
    EXPECT_EQ(result.classes, BruteForce(program, model).run()) << model::name_of(model);
  }
}

TEST(Threads, JoinWorksWithCheckpoints) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location(), y = program.location();
    const ThreadId reader{1};
    program.thread([=](Steps& steps) {
      steps.join(reader);
      steps.note(steps.load(y));
    });
    program.thread([=](Steps& steps) { steps.store(y, steps.load(x) + 10); });
    program.thread([=](Steps& steps) { steps.store(x, 1); });
    Noted without, with;
    explore_all(program, model, &without);
    program.set_checkpoints(8);
    explore_all(program, model, &with);
    EXPECT_EQ(without.complete, (std::map<Notes, int>{{{10}, 1}, {{11}, 1}})) << model::name_of(model);
    EXPECT_EQ(with.complete, without.complete) << model::name_of(model);
    EXPECT_TRUE(with.blocked.empty());
  }
}

// As above, but the revisited read is the last operation of the thread that is joined.
TEST(Threads, JoinWorksWithCheckpointsBehindARevisitedRead) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    const ThreadId reader{1};
    program.thread([=](Steps& steps) {
      steps.join(reader);
      steps.note(7);
    });
    program.thread([=](Steps& steps) { steps.load(x); });
    program.thread([=](Steps& steps) { steps.store(x, 1); });
    Noted without, with;
    explore_all(program, model, &without);
    program.set_checkpoints(8);
    explore_all(program, model, &with);
    EXPECT_EQ(without.complete, (std::map<Notes, int>{{{7}, 2}})) << model::name_of(model);
    EXPECT_EQ(with.complete, without.complete) << model::name_of(model);
    EXPECT_TRUE(with.blocked.empty()) << model::name_of(model);
  }
}

/// Three threads that do the same again and again, so that one operation is easily taken for another.
void make_adders(ScriptedProgram& program) {
  const LocationId x = program.location(), y = program.location();
  const auto add = [=](Steps& steps) {
    const Value first = steps.fetch_add(x, 1), second = steps.fetch_add(x, 1);  // no note between: it would tell them apart
    steps.note(first);
    steps.note(second);
    steps.note(steps.load(y));
  };
  program.thread([=](Steps& steps) {
    for (const int child : {1, 2}) steps.create(ThreadId{child});
    steps.note(steps.fetch_add(x, 1));
    steps.store(y, 1);
    for (const int child : {1, 2}) steps.join(ThreadId{child});
    steps.note(steps.load(x));
  });
  program.created_thread(add);
  program.created_thread(add);
}

TEST(Threads, ThatGoOnAtOnceWhereResultsAreKnownDoTheSame) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program, asking;
    make_adders(program);
    make_adders(asking);
    asking.ask_for_known_results();
    Noted expected, found;
    const Exploration without = explore_all(program, model, &expected), with = explore_all(asking, model, &found);
    EXPECT_EQ(with.counts.complete, without.counts.complete) << model::name_of(model);
    EXPECT_EQ(with.repeated, 0);
    EXPECT_EQ(found.complete, expected.complete) << model::name_of(model);
    EXPECT_EQ(program.known_results(), 0);
    EXPECT_GT(asking.known_results(), without.counts.complete) << model::name_of(model);
  }
}

}  // namespace
}  // namespace ordeal::tests
