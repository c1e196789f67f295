// Programs with symmetric threads: the search that looks for one class of each orbit finds some class of every one, and
// none twice. Expected is what brute force finds, or the ordinary search.
#include <functional>
#include <iostream>
#include <map>

#include <gtest/gtest.h>

#include "tests/support/brute_force.h"
#include "tests/support/exploration.h"
#include "tests/support/models.h"
#include "tests/support/orbit.h"
#include "tests/support/scale.h"
#include "tests/support/sync_recipe.h"

namespace ordeal::tests {
namespace {

using model::Model;

/// Programs with more classes are left out: they take long, and say no more.
constexpr int kMostClasses = 200;

/// Orbits, and how often each came.
class Orbits final : public engine::Observer {
 public:
  explicit Orbits(const Symmetric& threads) : threads_(threads) {}
  bool finished(const engine::Execution& execution) override {
    const std::string key = orbit_key(execution.graph, threads_);
    ++(execution.ending == engine::Ending::kBlocked ? blocked : complete)[key];
    return ++classes_ <= kMostClasses;
  }
  bool are_too_many() const { return classes_ > kMostClasses; }
  std::map<std::string, int> complete, blocked;

 private:
  Symmetric threads_;
  int classes_ = 0;
};

struct Tally {
  std::uint64_t programs = 0, classes = 0, orbits = 0, blocked = 0, executions = 0, several = 0, given_up = 0;
};

Symmetric symmetric(const SyncRecipe& recipe) { return {first_twin(recipe), recipe.twins, first_condition(recipe)}; }

bool are_same(const std::map<std::string, int>& found, const std::map<std::string, int>& expected) {
  return std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                    [](const auto& a, const auto& b) { return a.first == b.first; });
}

std::string count_text(const char* what, std::size_t found, std::size_t expected) {
  return std::to_string(found) + " " + what + ", expected " + std::to_string(expected);
}

enum class Against { kSearch, kBruteForce };

/// What is wrong with one program; empty: nothing.
std::string difference(const SyncRecipe& recipe, Model model, Against against, Tally& tally) {
  const Symmetric threads = symmetric(recipe);
  ScriptedProgram program, again;
  add_threads(recipe, program);
  add_threads(recipe, again);
  Orbits found(threads), expected(threads);
  const Exploration all_classes = explore_all(again, model, &expected, &useless_values());
  if (expected.are_too_many()) return "";
  const Exploration reduced = explore_all(program, model, &found, &useless_values(), true);
  if (against == Against::kBruteForce) {
    BruteForce brute_force(again, model);
    brute_force.set_key([&](const model::ExecutionGraph& graph) { return orbit_key(graph, threads); });
    const std::set<std::string> all = brute_force.run();
    expected.complete.clear();
    expected.blocked.clear();
    for (const std::string& key : all)
      ++(brute_force.blocked().contains(key) ? expected.blocked : expected.complete)[key];
  }
  ++tally.programs;
  tally.classes += all_classes.counts.complete;
  tally.orbits += expected.complete.size();
  tally.blocked += expected.blocked.size();
  tally.executions += reduced.counts.complete;
  tally.given_up += reduced.counts.given_up;
  for (const auto& orbit : found.complete) tally.several += orbit.second > 1 ? 1 : 0;
  if (reduced.repeated > 0) return std::to_string(reduced.repeated) + " classes came twice";
  if (!are_same(found.blocked, expected.blocked))
    return count_text("deadlocks", found.blocked.size(), expected.blocked.size());
  if (!are_same(found.complete, expected.complete))
    return count_text("orbits", found.complete.size(), expected.complete.size());
  return "";
}

SyncRecipe shrunk(SyncRecipe recipe, const std::function<std::string(const SyncRecipe&)>& wrong) {
  for (bool smaller_found = true; smaller_found;) {
    smaller_found = false;
    for (const SyncRecipe& candidate : smaller(recipe))
      if (!wrong(candidate).empty()) {
        recipe = candidate;
        smaller_found = true;
        break;
      }
  }
  return recipe;
}

void compare(const SyncFlavour& flavour, int rounds, Against against) {
  for (const Model model : kAllModels) {
    Tally tally;
    for (int seed = 0; seed < scaled(rounds); ++seed) {
      base::Rng rng(static_cast<std::uint64_t>(seed), 1303);
      const SyncRecipe recipe = random_sync_recipe(rng, flavour);
      const std::string wrong = difference(recipe, model, against, tally);
      if (wrong.empty()) continue;
      Tally ignored;
      const SyncRecipe small =
          shrunk(recipe, [&](const SyncRecipe& candidate) { return difference(candidate, model, against, ignored); });
      FAIL() << flavour.name << ", seed " << seed << ", " << model::name_of(model) << ": " << wrong << "\n"
             << text_of(recipe) << "cut down: " << difference(small, model, against, ignored) << "\n"
             << text_of(small);
    }
    std::cout << flavour.name << ", " << model::name_of(model) << ": " << tally.programs << " programs, "
              << tally.classes << " classes, " << tally.orbits << " orbits, " << tally.executions << " executions, "
              << tally.several << " orbits with several, " << tally.blocked << " blocked, " << tally.given_up
              << " given up\n";
  }
}

constexpr SyncFlavour kAccesses{.name = "accesses",
                                .max_blocks = 0,
                                .percent_access = 75,
                                .percent_fence = 8,
                                .percent_replace = 15,
                                .percent_choose = 5,
                                .max_twins = 3};
constexpr SyncFlavour kFences{
    .name = "fences", .max_blocks = 0, .percent_access = 80, .percent_fence = 35, .max_twins = 3};
constexpr SyncFlavour kLocks{
    .name = "locks", .max_blocks = 1, .percent_access = 35, .percent_nested = 40, .percent_fence = 8, .max_twins = 3};
constexpr SyncFlavour kTry{
    .name = "try", .max_blocks = 1, .percent_access = 30, .percent_try = 50, .percent_nested = 40, .max_twins = 3};
constexpr SyncFlavour kAwait{.name = "await",
                             .max_blocks = 0,
                             .percent_access = 75,
                             .percent_await = 30,
                             .percent_fence = 10,
                             .percent_replace = 10,
                             .max_twins = 3};
constexpr SyncFlavour kUseful{.name = "useful",
                              .max_blocks = 0,
                              .percent_access = 75,
                              .percent_useful = 40,
                              .percent_fence = 10,
                              .percent_replace = 10,
                              .max_twins = 3};
constexpr SyncFlavour kCondition{.name = "condition",
                                 .max_blocks = 1,
                                 .percent_access = 15,
                                 .percent_try = 10,
                                 .percent_fence = 5,
                                 .percent_condition = 70,
                                 .max_twins = 3};

TEST(Symmetry, AccessesHaveTheOrbitsOfTheOrdinarySearch) { compare(kAccesses, 30, Against::kSearch); }
TEST(Symmetry, SeqCstFencesHaveTheOrbitsOfTheOrdinarySearch) { compare(kFences, 30, Against::kSearch); }
constexpr SyncFlavour kObjects{.name = "objects", .max_blocks = 1, .percent_access = 50, .percent_try = 15, .percent_shared = 50,
                               .percent_semaphore = 40, .percent_barrier = 20, .max_twins = 2};

TEST(Symmetry, ReadWriteLocksSemaphoresAndBarriersHaveTheOrbitsOfTheOrdinarySearch) { compare(kObjects, 20, Against::kSearch); }
TEST(Symmetry, LocksHaveTheOrbitsOfTheOrdinarySearch) { compare(kLocks, 20, Against::kSearch); }
TEST(Symmetry, TryLocksHaveTheOrbitsOfTheOrdinarySearch) { compare(kTry, 15, Against::kSearch); }
TEST(Symmetry, AwaitsHaveTheOrbitsOfTheOrdinarySearch) { compare(kAwait, 30, Against::kSearch); }
TEST(Symmetry, AwaitsOfUsefulValuesHaveTheOrbitsOfTheOrdinarySearch) { compare(kUseful, 30, Against::kSearch); }
TEST(Symmetry, ConditionVariablesHaveTheOrbitsOfTheOrdinarySearch) { compare(kCondition, 8, Against::kSearch); }
TEST(Symmetry, AllHaveTheOrbitsOfBruteForce) {
  for (const SyncFlavour& flavour : {kAccesses, kFences, kLocks, kTry, kAwait, kUseful, kCondition, kObjects})
    compare(flavour, 3, Against::kBruteForce);
}

}  // namespace
}  // namespace ordeal::tests
