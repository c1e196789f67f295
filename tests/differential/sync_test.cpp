// Programs with locks, condition variables and loads that wait: the search against brute force. The same classes, the same
// deadlocks, none twice; and each execution can be replayed from its list of choices.
#include <functional>
#include <iostream>

#include <gtest/gtest.h>

#include "tests/support/brute_force.h"
#include "tests/support/exploration.h"
#include "tests/support/interleavings.h"
#include "tests/support/models.h"
#include "tests/support/scale.h"
#include "tests/support/sync_recipe.h"
#include "trace/format.h"

namespace ordeal::tests {
namespace {

using model::Model;

class Watch final : public engine::Observer {
 public:
  explicit Watch(std::function<void(const engine::Execution&)> see) : see_(std::move(see)) {}
  bool finished(const engine::Execution& execution) override {
    see_(execution);
    return true;
  }

 private:
  std::function<void(const engine::Execution&)> see_;
};

class NoNames final : public trace::Names {
 public:
  std::string thread(model::ThreadId) const override { return ""; }
  std::string location(model::LocationId) const override { return ""; }
  std::uint32_t line(const model::Event&) const override { return 0; }
};

struct Tally {
  std::uint64_t programs = 0, classes = 0, deadlocks = 0, given_up = 0, executions = 0;
};

/// What a replay of `list` ends as: its class, and how.
std::string replayed(const SyncRecipe& recipe, Model model, const engine::UnitOfWork& list) {
  ScriptedProgram program;
  add_threads(recipe, program);
  explore::Replay replay(model, list);
  replay.set_useless_values(&useless_values());
  std::string result;
  Watch watch([&](const engine::Execution& execution) {
    result = explore::class_key(execution.graph) + (execution.ending == engine::Ending::kBlocked ? "blocked" : "complete");
  });
  engine::Session session(program, replay);
  session.add(watch);
  session.run();
  return result;
}

/// What is wrong with one program; empty: nothing.
std::string difference(const SyncRecipe& recipe, Model model, base::Rng rng, Tally& tally) {
  ScriptedProgram program, again;
  add_threads(recipe, program);
  if (!recipe.is_forked && rng.chance(50)) program.set_checkpoints(40);
  else if (rng.chance(50)) program.hide_locations();
  add_threads(recipe, again);
  std::set<std::string> blocked;
  std::string wrong;
  Watch watch([&](const engine::Execution& execution) {
    const bool is_blocked = execution.ending == engine::Ending::kBlocked;
    const std::string key = explore::class_key(execution.graph);
    if (is_blocked) blocked.insert(key);
    const trace::Trace trace = trace::record(execution, NoNames(), "", "");
    if (trace::read(trace::write(trace)) != trace) wrong = "the trace is read back otherwise";
    const engine::UnitOfWork list = trace::unit_of_work(execution.graph);
    if (trace::unit_of_work(trace) != list) wrong = "the trace has another list of choices";
    try {
      if (replayed(recipe, model, list) != key + (is_blocked ? "blocked" : "complete")) wrong = "replay gives another class";
    } catch (const explore::ReplayError& error) {
      wrong = error.what();
    }
  });
  engine::Contested contested;
  for (int l = 0; l < 12; ++l)
    if (rng.chance(50)) contested.add(engine::LocationId{l});
  if (rng.chance(67)) contested.use();
  const Exploration found = explore_all(program, model, &watch, &useless_values(), false, &contested, rng.below(3));
  BruteForce brute_force(again, model);
  const std::set<std::string> expected = brute_force.run();
  ++tally.programs;
  tally.classes += expected.size();
  tally.deadlocks += brute_force.blocked().size();
  tally.given_up += found.counts.given_up;
  tally.executions += found.counts.complete + found.counts.blocked;
  if (!wrong.empty()) return wrong;
  if (found.repeated > 0) return std::to_string(found.repeated) + " classes came twice";
  if (blocked != brute_force.blocked())
    return std::to_string(blocked.size()) + " deadlocks, expected " + std::to_string(brute_force.blocked().size());
  if (found.classes != expected)
    return std::to_string(found.classes.size()) + " classes, expected " + std::to_string(expected.size());
  return "";
}

/// The same for `sc`, against running all interleavings.
std::string difference_to_interleavings(const SyncRecipe& recipe, Tally& tally) {
  ScriptedProgram program, again;
  add_threads(recipe, program);
  add_threads(recipe, again);
  std::multiset<std::string> complete, blocked;
  Watch watch([&](const engine::Execution& execution) {
    (execution.ending == engine::Ending::kBlocked ? blocked : complete).insert(class_text(execution.graph));
  });
  explore_all(program, Model::kSc, &watch, &useless_values());
  Interleavings expected(again);
  expected.run();
  ++tally.programs;
  tally.classes += expected.complete.size() + expected.blocked.size();
  tally.deadlocks += expected.blocked.size();
  const auto differ = [](const std::multiset<std::string>& found, const std::set<std::string>& all) {
    return !std::equal(found.begin(), found.end(), all.begin(), all.end());
  };
  if (differ(complete, expected.complete))
    return std::to_string(complete.size()) + " classes, expected " + std::to_string(expected.complete.size());
  if (differ(blocked, expected.blocked))
    return std::to_string(blocked.size()) + " deadlocks, expected " + std::to_string(expected.blocked.size());
  return "";
}

/// The smallest recipe reached by taking out steps that still fails.
template <class Difference>
SyncRecipe shrunk(SyncRecipe recipe, Difference&& difference) {
  for (bool smaller_found = true; smaller_found;) {
    smaller_found = false;
    for (const SyncRecipe& candidate : smaller(recipe))
      if (!difference(candidate).empty()) {
        recipe = candidate;
        smaller_found = true;
        break;
      }
  }
  return recipe;
}

void compare(const SyncFlavour& flavour, int rounds) {
  Tally tally;
  for (int seed = 0; seed < scaled(rounds); ++seed)
    for (const Model model : kAllModels) {
      base::Rng rng(static_cast<std::uint64_t>(seed), 4711);
      const SyncRecipe recipe = random_sync_recipe(rng, flavour);
      const std::string wrong = difference(recipe, model, rng, tally);
      if (wrong.empty()) continue;
      Tally ignored;
      const SyncRecipe small =
          shrunk(recipe, [&](const SyncRecipe& candidate) { return difference(candidate, model, rng, ignored); });
      FAIL() << flavour.name << ", seed " << seed << ", " << model::name_of(model) << ": " << wrong << "\n"
             << text_of(recipe) << "cut down: " << difference(small, model, rng, ignored) << "\n"
             << text_of(small);
    }
  std::cout << flavour.name << ": " << tally.programs << " programs, " << tally.classes << " classes, " << tally.deadlocks
            << " deadlocks, " << tally.executions << " executions, " << tally.given_up << " given up\n";
}

constexpr SyncFlavour kLocks{.name = "locks", .percent_nested = 50};
constexpr SyncFlavour kFences{.name = "fences", .percent_access = 60, .percent_nested = 30, .percent_fence = 40};
constexpr SyncFlavour kTry{.name = "try", .percent_access = 25, .percent_try = 50, .percent_nested = 40};
constexpr SyncFlavour kAwait{
    .name = "await", .max_blocks = 1, .percent_access = 70, .percent_try = 10, .percent_await = 35, .percent_fence = 15};
constexpr SyncFlavour kUseful{
    .name = "useful", .max_blocks = 1, .percent_access = 75, .percent_try = 10, .percent_useful = 45, .percent_fence = 15};
constexpr SyncFlavour kCondition{.name = "condition",
                                 .percent_access = 15,
                                 .percent_try = 10,
                                 .percent_nested = 10,
                                 .percent_fence = 5,
                                 .percent_condition = 70};
constexpr SyncFlavour kShared{.name = "shared", .percent_access = 25, .percent_try = 20, .percent_nested = 40, .percent_fence = 10, .percent_shared = 60};
constexpr SyncFlavour kRobust{.name = "robust", .percent_access = 40, .percent_try = 30, .percent_nested = 40, .percent_fence = 10, .is_robust = true};
constexpr SyncFlavour kSemaphore{.name = "semaphore", .max_blocks = 1, .percent_access = 80, .percent_try = 10, .percent_fence = 10, .percent_semaphore = 60};
constexpr SyncFlavour kBarrier{.name = "barrier", .max_blocks = 1, .percent_access = 70, .percent_fence = 10, .percent_shared = 20, .percent_barrier = 50};
constexpr SyncFlavour kAll{.name = "all", .percent_access = 35, .percent_try = 20, .percent_nested = 20, .percent_await = 10, .percent_fence = 10,
                           .percent_condition = 20, .percent_shared = 40, .percent_semaphore = 30, .percent_barrier = 10};

TEST(Sync, LocksAsBruteForceSays) { compare(kLocks, 25); }
TEST(Sync, LocksWithSeqCstFencesAsBruteForceSays) { compare(kFences, 25); }
TEST(Sync, TryLocksAsBruteForceSays) { compare(kTry, 25); }
TEST(Sync, AwaitsAsBruteForceSays) { compare(kAwait, 25); }
TEST(Sync, AwaitsOfUsefulValuesAsBruteForceSays) { compare(kUseful, 25); }
TEST(Sync, ConditionVariablesAsBruteForceSays) { compare(kCondition, 25); }

TEST(Sync, ReadWriteLocksAsBruteForceSays) { compare(kShared, 25); }
TEST(Sync, RobustMutexesAsBruteForceSays) { compare(kRobust, 25); }
TEST(Sync, SemaphoresAsBruteForceSays) { compare(kSemaphore, 25); }
TEST(Sync, BarriersAsBruteForceSays) { compare(kBarrier, 25); }
TEST(Sync, AllTogetherAsBruteForceSays) { compare(kAll, 15); }

TEST(Sync, ScIsAllInterleavings) {
  Tally tally;
  for (int seed = 0; seed < scaled(150); ++seed)
    for (const SyncFlavour& flavour : {kLocks, kFences, kTry, kAwait, kUseful, kCondition, kShared, kRobust, kSemaphore, kBarrier, kAll}) {
      base::Rng rng(static_cast<std::uint64_t>(seed), 815);
      const SyncRecipe recipe = random_sync_recipe(rng, flavour);
      const std::string wrong = difference_to_interleavings(recipe, tally);
      if (wrong.empty()) continue;
      Tally ignored;
      const SyncRecipe small =
          shrunk(recipe, [&](const SyncRecipe& candidate) { return difference_to_interleavings(candidate, ignored); });
      FAIL() << flavour.name << ", seed " << seed << ": " << wrong << "\n"
             << text_of(recipe) << "cut down: " << difference_to_interleavings(small, ignored) << "\n"
             << text_of(small);
    }
  std::cout << "interleavings: " << tally.programs << " programs, " << tally.classes << " classes, " << tally.deadlocks
            << " deadlocks\n";
}

}  // namespace
}  // namespace ordeal::tests
