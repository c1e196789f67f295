// Values that the program lets the search choose.
#include <numeric>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "sight.h"
#include "tests/support/brute_force.h"
#include "tests/support/models.h"
#include "tests/support/scale.h"

namespace ordeal::tests {
namespace {

TEST(Choice, EveryValueComesOnce) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    program.thread([](Steps& steps) { steps.note(steps.choose(5)); });
    Noted noted;
    explore_all(program, model, &noted);
    EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{0}, 1}, {{1}, 1}, {{2}, 1}, {{3}, 1}, {{4}, 1}}));
  }
}

TEST(Choice, ChoicesOfOneThreadMultiply) {
  ScriptedProgram program;
  program.thread([](Steps& steps) {
    const Value first = steps.choose(3);
    steps.note(first);
    if (first != 1) steps.note(10 + steps.choose(2));
  });
  Noted noted;
  explore_all(program, model::Model::kCpp20, &noted);
  EXPECT_EQ(noted.complete, (std::map<Notes, int>{{{0, 10}, 1}, {{0, 11}, 1}, {{1}, 1}, {{2, 10}, 1}, {{2, 11}, 1}}));
}

TEST(Choice, ChoicesOfSeveralThreadsMultiply) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    for (int t = 0; t < 3; ++t) program.thread([](Steps& steps) { steps.note(steps.choose(3)); });
    Noted noted;
    EXPECT_EQ(explore_all(program, model, &noted).counts.complete, 27);
    EXPECT_EQ(noted.complete.size(), 27);
  }
}

// Thread 0 reads x first; the store of thread 1, which revisits that read, stands behind choices of both threads.
//   r=x=0: thread 0 chooses 0 or 1 before it reads, and thread 1 chooses the value.
TEST(Choice, RevisitsCrossChoices) {
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    const LocationId x = program.location();
    program.thread([=](Steps& steps) {
      const Value before = steps.choose(2);
      const Value read = steps.load(x);
      steps.note(100 * before + 10 * read + steps.choose(2));
    });
    program.thread([=](Steps& steps) { steps.store(x, 1 + steps.choose(2)); });
    Noted noted;
    const Exploration result = explore_all(program, model, &noted);
    // 2 (before) · 2 (chosen by thread 1) · 2 (reads 0 or the store) · 2 (after).
    EXPECT_EQ(result.counts.complete, 16) << model::name_of(model);
    EXPECT_EQ(result.repeated, 0);
    EXPECT_EQ(noted.complete.size(), 12)
        << "reads 0, 1 or 2, and two choices; reading 0 comes with both values of thread 1";
    for (const auto& [notes, count] : noted.complete) EXPECT_EQ(count, notes[0] / 10 % 10 == 0 ? 2 : 1) << notes[0];
  }
}

/// The argument that needs no model: if every thread makes its choices whatever it reads, the classes are those of the
/// programs in which the choices are fixed, all together.
TEST(Choice, TheClassesAreThoseOfAllFixedChoicesTogether) {
  const auto fill = [](ScriptedProgram& program, int fixed) {  // -1: not fixed
    const LocationId x = program.location(), y = program.location();
    for (int t = 0; t < 3; ++t)
      program.thread([=](Steps& steps) {
        const auto choose = [&](int bit) { return fixed < 0 ? steps.choose(2) : Value{fixed >> bit & 1}; };
        const Value first = choose(2 * t);
        if (fixed >= 0) steps.note(0);
        steps.store(first == 0 ? x : y, t + 1);
        const Value second = choose(2 * t + 1);
        if (fixed >= 0) steps.note(0);
        steps.load(second == 0 ? x : y);
      });
  };
  for (const model::Model model : kAllModels) {
    ScriptedProgram program;
    fill(program, -1);
    std::uint64_t sum = 0;
    for (int fixed = 0; fixed < 64; ++fixed) {
      ScriptedProgram one;
      fill(one, fixed);
      sum += explore_all(one, model).counts.complete;
    }
    const Exploration result = explore_all(program, model);
    EXPECT_EQ(result.counts.complete, sum) << model::name_of(model);
    EXPECT_EQ(result.repeated, 0) << model::name_of(model);
  }
}

// --- random programs against brute force -----------------------------------------------------------------------------

/// One random step of a thread; `seen` is the last value that it read or chose.
void random_step(Steps& steps, base::Rng& rng, const std::vector<LocationId>& locations, Value& seen) {
  const LocationId location = locations[static_cast<std::size_t>(rng.below(static_cast<int>(locations.size())))];
  const int kind = rng.below(12);
  const Value value = 1 + rng.below(2) + (rng.chance(30) ? seen : 0);
  const MemoryOrder load_order = rng.chance(30)   ? MemoryOrder::kSeqCst
                                 : rng.chance(30) ? MemoryOrder::kAcquire
                                                  : MemoryOrder::kRelaxed;
  const MemoryOrder store_order = rng.chance(30)   ? MemoryOrder::kSeqCst
                                  : rng.chance(30) ? MemoryOrder::kRelease
                                                   : MemoryOrder::kRelaxed;
  if (rng.chance(25) && seen == rng.below(2)) return;
  if (kind < 3) {
    seen = steps.load(location, load_order);
  } else if (kind < 6) {
    steps.store(location, value, store_order);
  } else if (kind < 7) {
    seen = steps.fetch_add(location, value, load_order);
  } else if (kind < 8) {
    Value expected = rng.below(2);
    seen = steps.compare_exchange(location, expected, value, rng.chance(30)) ? 1 : 0;
  } else if (kind < 9) {
    steps.fence(load_order);
  } else if (kind < 10) {
    steps.note(seen);
  } else if (kind < 11) {
    steps.assume(seen != 2);
  } else {
    seen = steps.choose(2);
  }
}

/// Threads 0 and 1 run from the start; each may create one more and join it, or not.
void fill_at_random(ScriptedProgram& program, std::uint64_t seed) {
  std::vector<LocationId> locations{program.location(), program.location()};
  const auto body = [seed, locations](int self, int child) {
    return [=](Steps& steps) {
      base::Rng rng(seed, static_cast<std::uint64_t>(self));  // the same steps each time
      Value seen = 0;
      const int length = child > 0 ? 1 + rng.below(2) : 1;
      const int create_at = child > 0 && rng.chance(60) ? rng.below(length) : -1;
      const bool joins = rng.chance(60);
      for (int i = 0; i < length; ++i) {
        if (i == create_at) steps.create(ThreadId{child});
        random_step(steps, rng, locations, seen);
      }
      if (create_at >= 0 && joins) steps.join(ThreadId{child});
      if (rng.chance(40)) random_step(steps, rng, locations, seen);
    };
  };
  program.thread(body(0, 2));
  program.thread(body(1, 3));
  program.created_thread(body(2, 0));
  program.created_thread(body(3, 0));
}

TEST(Choice, RandomProgramsWithThreadsAndChoicesHaveTheClassesOfBruteForce) {
  std::size_t classes = 0, blocked = 0;
  for (int seed = 0; seed < scaled(80); ++seed)
    for (const model::Model model : kAllModels) {
      ScriptedProgram program;
      fill_at_random(program, static_cast<std::uint64_t>(seed));
      const Exploration result = explore_all(program, model);
      ASSERT_EQ(result.repeated, 0) << "seed " << seed << ", " << model::name_of(model);
      ASSERT_EQ(result.classes, BruteForce(program, model).run()) << "seed " << seed << ", " << model::name_of(model);
      classes += result.classes.size();
      blocked += result.counts.blocked;
    }
  EXPECT_GT(classes, static_cast<std::size_t>(scaled(80)) * 4);
  if (scaled(80) < 80) return;
  EXPECT_GT(blocked, 0) << "the programs have no assumptions that fail";
}

}  // namespace
}  // namespace ordeal::tests
