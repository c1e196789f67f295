// Random testing against the exhaustive search, on the litmus tests and on random programs: what is sampled is allowed, and
// what is allowed is sampled, but for executions in which S must contradict the order of execution (docs/adr/0018).
//
// ORDEAL_TEST_SCALE multiplies the number of executions and programs.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "litmus/printer.h"
#include "tests/support/corpus.h"
#include "tests/support/litmus_sampling.h"
#include "tests/support/recipe.h"
#include "tools/litmus_search.h"

namespace ordeal::tests {
namespace {

using litmus::State;
using sample::Strategy;

constexpr int kLoops = 2;              // the bound for random programs
constexpr int kEnoughForAll = 20'000;  // executions in which every state of a small test comes up

std::string state_text(const litmus::Test& test, const State& state) {
  std::string text;
  for (std::size_t i = 0; i < state.size(); ++i) text += (i == 0 ? "" : " ") + test.name_of(test.observables()[i]) + "=" + std::to_string(state[i]);
  return text;
}

std::set<State> states_of(const tools::LitmusResult& result) {
  std::set<State> states;
  for (const auto& [state, count] : result.states) states.insert(state);
  return states;
}

// --- all litmus tests ----------------------------------------------------------------------------------------------------------

/// States of litmus tests that need an S which contradicts po ∪ rf, so that no order of execution agrees with it. The cycle of each,
/// by hand, from po, rf and [atomics.order]p4.1 (a read of the initial value is before the seq_cst write, in S):
const std::map<std::string, std::string> kBeyondSampling = {
    // x=1 rf 1:r0 po 1:r1 S y=1 rf 3:r0 po 3:r1 S x=1
    {"IRIW+acq-sc", "1:r0=1 1:r1=0 3:r0=1 3:r1=0"},
    // x=1 rf 1:r0 po y=1 rf 2:r0 po 2:r1 S x=1
    {"WRC+sc+rlx+sc", "1:r0=1 2:r0=1 2:r1=0"},
    // x=1 rf 1:r0 po 1:r1 S y=1 po 2:r0 S x=1
    {"WWmerge", "1:r0=1 1:r1=0 2:r0=0"},
    // x=1 po y=1 rf RMW S y=3 po 2:r0 S x=1   (y=3 is behind the RMW: 1:r1 reads it)
    {"Z6.U", "1:r0=1 1:r1=3 2:r0=0"},
    // x=1 rf 1:r0 po 1:r1 S y=1 po 2:r0 S x=1
    {"RWC+sc+acq-sc+scs", "1:r0=1 1:r1=0 2:r0=0"},
};

void compare_states(const litmus::Test& test, const std::string& name, Strategy& strategy) {
  const tools::LitmusResult truth = tools::search(test, {});
  if (truth.is_racy) return;
  std::set<State> allowed = states_of(truth), missing = allowed;
  LitmusSampling sampling(test);
  const int least = scaled(2000);
  const bool lacks_one = kBeyondSampling.contains(name);
  for (int i = 0; i < least || (i < kEnoughForAll && missing.size() > (lacks_one ? 1 : 0)); ++i) {
    const auto state = sampling.run(strategy, 1, static_cast<std::uint64_t>(i));
    if (!state) continue;
    ASSERT_TRUE(allowed.contains(*state)) << name << ", execution " << i << " of " << strategy.name() << " ends with " << state_text(test, *state);
    missing.erase(*state);
  }
  std::set<std::string> missing_texts;
  for (const State& state : missing) missing_texts.insert(state_text(test, state));
  EXPECT_EQ(missing_texts, lacks_one ? std::set<std::string>{kBeyondSampling.at(name)} : std::set<std::string>()) << name;
}

class SamplingCorpusTest : public testing::TestWithParam<const char*> {};

TEST_P(SamplingCorpusTest, StatesAreThoseOfTheSearchButForThoseBeyondSampling) {
  const auto strategy = sample::make_strategy(GetParam());
  int named = 0;
  const auto files = sampled_corpus_files();
  for (const auto& file : files) {
    const litmus::Test test = litmus::parse(text_of(file), file.filename().string());
    compare_states(test, file.stem().string(), *strategy);
    named += kBeyondSampling.contains(file.stem().string()) ? 1 : 0;
  }
  if (files.size() == corpus_files().size()) {
    EXPECT_EQ(named, static_cast<int>(kBeyondSampling.size()));
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, SamplingCorpusTest, testing::Values("random", "portfolio", "pct:5"), [](const auto& instance) {
  const std::string name = instance.param;
  return name.substr(0, name.find(':'));
});

// --- weak outcomes ---------------------------------------------------------------------------------------------------------------

litmus::Test named(const std::string& name) {
  for (const auto& file : corpus_files())
    if (file.stem() == name) return litmus::parse(text_of(file), file.filename().string());
  throw std::logic_error("there is no litmus test " + name);
}

bool satisfies_condition(const litmus::Test& test, const State& state) {
  const auto observables = test.observables();
  return litmus::holds(test.condition, [&](const litmus::Observable& wanted) {
    return state[static_cast<std::size_t>(std::find(observables.begin(), observables.end(), wanted) - observables.begin())];
  });
}

/// The number of the first execution that satisfies the test's condition, or `limit`.
int first_seen(const litmus::Test& test, Strategy& strategy, std::uint64_t seed, int limit) {
  LitmusSampling sampling(test);
  for (int i = 0; i < limit; ++i) {
    const auto state = sampling.run(strategy, seed, static_cast<std::uint64_t>(i));
    if (state && satisfies_condition(test, *state)) return i;
  }
  return limit;
}

class WeakOutcomeTest : public testing::TestWithParam<const char*> {};

TEST_P(WeakOutcomeTest, AppearsWithinAThousandExecutions) {
  const auto strategy = sample::make_strategy(GetParam());
  for (const char* name : {"SB", "MP", "IRIW", "2+2W", "WRC", "S", "R", "IRIW+rel+acq", "SB+rel.acqs", "2+2W+rels", "R+rel+acq"}) {
    const litmus::Test test = named(name);
    for (const std::uint64_t seed : {0, 1, 2, 3, 20261117}) EXPECT_LT(first_seen(test, *strategy, seed, 1000), 1000) << name << ", seed " << seed;
  }
}

/// The literature forbids these (their .expect files say why). A million with ./test --long.
TEST_P(WeakOutcomeTest, NeverAppearsWhereTheOrdersForbidIt) {
  const auto strategy = sample::make_strategy(GetParam());
  const int executions = scaled(10'000);
  for (const char* name : {"SB+scs", "SB+scfences", "MP+rel+acq", "MP+relfence+acqfence", "IRIW+scs", "IRIW+scfences", "IRIW+rlx-scs", "2+2W+scs", "2+2W+scfences",
                           "WRC+rel+acq.rel+acq", "S+rel+acq", "R+scs", "R+scfences"}) {
    EXPECT_EQ(first_seen(named(name), *strategy, 7, executions), executions) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, WeakOutcomeTest, testing::Values("random", "pct", "portfolio"));

// --- random programs ---------------------------------------------------------------------------------------------------------------

struct RandomPrograms {
  Flavour flavour;
  int programs;
  bool is_complete;  // without seq_cst every state comes up
};

std::string why_different(const Recipe& recipe, int executions, bool is_complete) {
  const litmus::Test test = to_test(recipe, "random");
  tools::LitmusOptions options;
  options.loop_bound = kLoops;
  options.execution_limit = 20'000;
  const tools::LitmusResult truth = tools::search(test, options);
  if (!truth.limits.empty()) return "";
  const std::set<State> allowed = states_of(truth);
  std::set<State> seen;
  LitmusSampling sampling(test, kLoops);
  sampling.set_graphs(true);
  const auto strategy = sample::make_strategy("portfolio");
  for (int i = 0; i < executions || (is_complete && i < kEnoughForAll && seen.size() < allowed.size()); ++i) {
    const auto state = sampling.run(*strategy, 3, static_cast<std::uint64_t>(i));
    if (!sampling.is_consistent()) return "execution " + std::to_string(i) + " is not consistent";
    if (!state) continue;
    if (!allowed.contains(*state)) return "execution " + std::to_string(i) + " ends with " + state_text(test, *state) + ", which the search does not have";
    seen.insert(*state);
  }
  if (is_complete && seen != allowed) return "only " + std::to_string(seen.size()) + " of " + std::to_string(allowed.size()) + " states were seen";
  return "";
}

class SamplingRandomTest : public testing::TestWithParam<RandomPrograms> {};

/// Each execution is also consistent as a graph.
TEST_P(SamplingRandomTest, SampledStatesAreAllowed) {
  const auto& [flavour, programs, is_complete] = GetParam();
  for (int i = 0; i < scaled(programs); ++i) {
    base::Rng rng(20261117, static_cast<std::uint64_t>(i));
    const Recipe recipe = random_recipe(rng, flavour);
    if (why_different(recipe, 200, is_complete).empty()) continue;
    const Recipe smallest = shrink(recipe, [&, complete = is_complete](const Recipe& r) { return !why_different(r, 200, complete).empty(); });
    ADD_FAILURE() << flavour.name << ", program " << i << ": " << why_different(smallest, 200, is_complete) << "\n" << litmus::to_source(to_test(smallest, "random"));
    return;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, SamplingRandomTest,
                         testing::Values(RandomPrograms{{"mixed", 2, 3, 9, 2, 20, 10, 25, 0, 30, 5, true}, 300, false},
                                         RandomPrograms{{"seq_cst", 2, 3, 8, 2, 15, 15, 70, 0, 20, 0, true}, 300, false},
                                         RandomPrograms{{"rmw", 2, 3, 7, 2, 55, 5, 20, 0, 25, 0, true}, 200, false},
                                         RandomPrograms{{"wide", 4, 4, 9, 3, 15, 10, 30, 0, 20, 0, true}, 200, false},
                                         RandomPrograms{{"complete", 2, 3, 6, 2, 20, 0, 0, 0, 20, 0, true}, 150, true},
                                         RandomPrograms{{"complete_stores", 3, 3, 6, 1, 10, 0, 0, 0, 0, 0, false}, 100, true}),
                         [](const auto& instance) { return instance.param.flavour.name; });

// --- pruning -------------------------------------------------------------------------------------------------------------------------

/// Every answer depends on the step and on what is asked there, not on how often was asked before: an RMW whose source is known need
/// not ask. Writes down among how many threads and places there was to choose.
class Hashed final : public Strategy {
 public:
  std::string_view name() const override { return "hashed"; }
  void begin(std::uint64_t seed, std::uint64_t execution) override { key_ = base::mix(seed ^ base::mix(execution)), step_ = 0; }
  int next_thread(const sample::Step& step) override {
    ++step_;
    return static_cast<int>(noted(static_cast<std::uint32_t>(step.ready.size())));
  }
  std::uint32_t which_store(int, std::uint32_t count) override { return below(count); }
  std::uint32_t which_place(int, std::uint32_t count) override { return noted(count); }
  std::uint32_t answer(sample::Question, std::uint32_t alternatives) override { return below(alternatives); }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> notes;

 private:
  std::uint32_t below(std::uint32_t bound) const { return static_cast<std::uint32_t>(base::mix(key_ + step_ * 0x9e3779b97f4a7c15) % bound); }
  std::uint32_t noted(std::uint32_t count) {
    notes.emplace_back(count, below(count));
    return notes.back().second;
  }
  std::uint64_t key_ = 0, step_ = 0;
};

TEST(SamplingPruningTest, WithAndWithoutItTheSameThingsMayBeChosen) {
  const Flavour flavour{"long", 2, 4, 40, 2, 25, 10, 20, 0, 20, 0, true};
  std::uint64_t dropped = 0;
  for (int i = 0; i < scaled(200); ++i) {
    base::Rng rng(5, static_cast<std::uint64_t>(i));
    const litmus::Test test = to_test(random_recipe(rng, flavour), "random");
    LitmusSampling with(test), without(test);
    with.sampler().memory().set_pruning(sample::Memory::Pruning::kAlways);
    without.sampler().memory().set_pruning(sample::Memory::Pruning::kNever);
    for (std::uint64_t execution = 0; execution < 50; ++execution) {
      Hashed first;
      const auto state = with.run(first, 1, execution);
      Hashed second;
      ASSERT_EQ(without.run(second, 1, execution), state) << i << ", " << execution;
      ASSERT_EQ(first.notes, second.notes) << i << ", " << execution;
      dropped += without.sampler().memory().stores_in_use() - with.sampler().memory().stores_in_use();
    }
  }
  EXPECT_GT(dropped, 1000u);
}

}  // namespace
}  // namespace ordeal::tests
