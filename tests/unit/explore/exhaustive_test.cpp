// The search over the corpus and over random programs: each class once, whatever the order of threads and the way in
// which the program is put back.
#include "explore/exhaustive.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "explore/uniqueness.h"
#include "litmus/interpreter.h"
#include "tests/support/recipe.h"
#include "tests/support/brute_force.h"
#include "tests/support/corpus.h"
#include "tests/support/exploration.h"
#include "tests/support/models.h"
#include "tests/support/scale.h"
#include "tools/litmus_search.h"

namespace ordeal::tests {
namespace {

using model::Model;
using tools::LitmusResult;

std::string where(const litmus::Test& test, Model model) {
  return test.name + ", " + std::string(model::name_of(model));
}

LitmusResult search(const litmus::Test& test, Model model, bool checkpoints, engine::Observer* observer = nullptr) {
  tools::LitmusOptions options;
  options.model = model;
  options.checkpoints = checkpoints;
  return tools::search(test, options, observer);
}

// --- each class once -------------------------------------------------------------------------------------------------

TEST(Exhaustive, ReportsEachClassOfTheCorpusOnce) {
  for (const litmus::Test& test : corpus())
    for (const Model model : kAllModels) {
      explore::Uniqueness uniqueness;
      const LitmusResult result = search(test, model, true, &uniqueness);
      EXPECT_EQ(uniqueness.repeated(), 0) << where(test, model);
      EXPECT_EQ(uniqueness.keys().size(), result.executions + result.blocked) << where(test, model);
    }
}

TEST(Exhaustive, FindsTheClassesThatBruteForceFinds) {
  for (const litmus::Test& test : sampled_corpus())
    for (const Model model : kAllModels) {
      litmus::Interpreter program(test, 2);
      program.set_checkpoints(false);
      const Exploration result = explore_all(program, model);
      ASSERT_EQ(result.repeated, 0) << where(test, model);
      if (result.classes.size() > 20) continue;  // brute force takes its time
      ASSERT_EQ(result.classes, BruteForce(program, model).run()) << where(test, model);
    }
}

TEST(Exhaustive, FindsTheClassesOfRandomProgramsThatBruteForceFinds) {
  const Flavour flavours[] = {
      {.name = "mixed", .max_steps = 6, .percent_rmw = 35, .percent_loop = 10},
      {.name = "seq_cst", .max_steps = 6, .percent_fence = 20, .percent_seq_cst = 60},
      {.name = "one location", .max_steps = 6, .max_locations = 1, .percent_rmw = 50, .percent_guard = 50}};
  for (int seed = 0; seed < scaled(400); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed), 3);
    const litmus::Test test = to_test(random_recipe(rng, flavours[seed % 3]), "seed " + std::to_string(seed));
    for (const Model model : kAllModels) {
      litmus::Interpreter program(test, 2);
      program.set_checkpoints(false);
      const Exploration result = explore_all(program, model);
      ASSERT_EQ(result.repeated, 0) << where(test, model);
      ASSERT_EQ(result.classes, BruteForce(program, model).run()) << where(test, model);
    }
  }
}

// --- how the program is put back -------------------------------------------------------------------------------------

void expect_equal(const LitmusResult& with, const LitmusResult& without, const std::string& where) {
  EXPECT_EQ(with.states, without.states) << where;
  EXPECT_EQ(with.executions, without.executions) << where;
  EXPECT_EQ(with.blocked, without.blocked) << where;
  EXPECT_EQ(with.given_up, without.given_up) << where;
  EXPECT_EQ(with.bound_was_hit, without.bound_was_hit) << where;
  EXPECT_EQ(with.is_racy, without.is_racy) << where;
}

TEST(Exhaustive, DoesNotDependOnCheckpoints) {
  for (const litmus::Test& test : corpus())
    for (const Model model : kAllModels) {
      explore::Uniqueness with, without;
      expect_equal(search(test, model, true, &with), search(test, model, false, &without), where(test, model));
      EXPECT_EQ(with.keys(), without.keys()) << where(test, model);
    }
}

TEST(Exhaustive, DoesNotDependOnCheckpointsInRandomPrograms) {
  const Flavour flavour{.name = "loops", .max_steps = 9, .percent_rmw = 30, .percent_plain = 10, .percent_loop = 30};
  for (int seed = 0; seed < scaled(200); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed), 4);
    const litmus::Test test = to_test(random_recipe(rng, flavour), "seed " + std::to_string(seed));
    for (const Model model : kAllModels) {
      explore::Uniqueness with, without;
      expect_equal(search(test, model, true, &with), search(test, model, false, &without), where(test, model));
      EXPECT_EQ(with.keys(), without.keys()) << where(test, model);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

// --- the order of threads --------------------------------------------------------------------------------------------

void rename(std::vector<litmus::Observable>& observables, const std::vector<int>& new_number) {
  for (litmus::Observable& observable : observables)
    if (observable.thread >= 0) observable.thread = new_number[static_cast<std::size_t>(observable.thread)];
}
void rename(litmus::Proposition& proposition, const std::vector<int>& new_number) {
  for (litmus::Observable* observable : {&proposition.left, proposition.right ? &*proposition.right : nullptr})
    if (observable != nullptr && observable->thread >= 0)
      observable->thread = new_number[static_cast<std::size_t>(observable->thread)];
  for (litmus::Proposition& operand : proposition.operands) rename(operand, new_number);
}

/// Thread t of `test` becomes thread new_number[t].
void permute(litmus::Test& test, const std::vector<int>& new_number) {
  std::vector<litmus::Thread> threads(test.threads.size());
  for (std::size_t t = 0; t < threads.size(); ++t)
    threads[static_cast<std::size_t>(new_number[t])] = std::move(test.threads[t]);
  test.threads = std::move(threads);
  rename(test.shown, new_number);
  rename(test.condition, new_number);
  if (test.filter) rename(*test.filter, new_number);
}

/// The states of the permuted test, with the columns of the test as it was.
std::map<litmus::State, std::uint64_t> as_before(const std::map<litmus::State, std::uint64_t>& states,
                                                 std::vector<litmus::Observable> columns,
                                                 const std::vector<litmus::Observable>& columns_now,
                                                 const std::vector<int>& new_number) {
  rename(columns, new_number);
  std::map<litmus::State, std::uint64_t> out;
  for (const auto& [state, count] : states) {
    litmus::State old;
    for (const litmus::Observable& column : columns)
      old.push_back(state[static_cast<std::size_t>(std::find(columns_now.begin(), columns_now.end(), column) -
                                                   columns_now.begin())]);
    out[old] += count;
  }
  return out;
}

/// `make` gives the same test each time.
template <class Make>
void check_permutations(const Make& make, Model model) {
  const litmus::Test test = make();
  const LitmusResult expected = search(test, model, true);
  std::vector<int> new_number(test.threads.size());
  std::iota(new_number.begin(), new_number.end(), 0);
  for (int i = 0; i < 6 && std::next_permutation(new_number.begin(), new_number.end()); ++i) {
    litmus::Test permuted = make();
    permute(permuted, new_number);
    const LitmusResult result = search(permuted, model, true);
    ASSERT_EQ(result.executions, expected.executions) << where(test, model) << ", permutation " << i;
    ASSERT_EQ(result.blocked, expected.blocked) << where(test, model) << ", permutation " << i;
    ASSERT_EQ(result.is_racy, expected.is_racy) << where(test, model) << ", permutation " << i;
    ASSERT_EQ(as_before(result.states, test.observables(), permuted.observables(), new_number), expected.states)
        << where(test, model) << ", permutation " << i;
  }
}

TEST(Exhaustive, DoesNotDependOnTheOrderOfThreads) {
  for (const auto& file : sampled_corpus_files()) {
    const std::string text = text_of(file);
    for (const Model model : kAllModels) {
      check_permutations([&] { return litmus::parse(text, file.filename().string()); }, model);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(Exhaustive, DoesNotDependOnTheOrderOfThreadsInRandomPrograms) {
  const Flavour flavour{.name = "three threads",
                        .min_threads = 3,
                        .max_threads = 4,
                        .max_steps = 8,
                        .percent_rmw = 30,
                        .percent_seq_cst = 40};
  for (int seed = 0; seed < scaled(100); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed), 5);
    const Recipe recipe = random_recipe(rng, flavour);
    for (const Model model : kAllModels) {
      check_permutations([&] { return to_test(recipe, "seed " + std::to_string(seed)); }, model);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace ordeal::tests
