// The explorer against brute force, on random programs and on all programs of a small family.
//
// A failing program is cut down and printed as a litmus file, with the seed that makes it. ORDEAL_TEST_SCALE multiplies the
// number of programs (./test --long sets 100).
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "explore/uniqueness.h"
#include "litmus/printer.h"
#include "oracle/oracle.h"
#include "tests/support/recipe.h"
#include "tests/support/scale.h"
#include "tools/litmus_search.h"

namespace ordeal::tests {
namespace {

constexpr int kLoopBound = 2;

struct Setting {
  const char* name;
  model::Model model;
  oracle::Model oracle_model;
  bool load_buffering;
  unsigned contested = 0;  // locations, as bits
};

constexpr Setting kCpp20{"cpp20", model::Model::kCpp20, oracle::Model::kCpp20, false};
constexpr Setting kRc11{"rc11", model::Model::kRc11, oracle::Model::kRc11, false};
constexpr Setting kSc{"sc", model::Model::kSc, oracle::Model::kSc, false};
constexpr Setting kTso{"tso", model::Model::kTso, oracle::Model::kTso, false};
constexpr Setting kCpp20Lb{"cpp20 with load buffering", model::Model::kCpp20, oracle::Model::kCpp20, true};
constexpr Setting kRc11Lb{"rc11 with load buffering", model::Model::kRc11, oracle::Model::kRc11, true};

enum class Verdict { kEqual, kDifferent, kTooLarge };

Verdict compare(const Recipe& recipe, const Setting& setting, std::ostream* explain = nullptr) {
  const litmus::Test test = to_test(recipe, "random");
  oracle::Options brute;
  brute.model = setting.oracle_model;
  brute.load_buffering = setting.load_buffering;
  brute.loop_bound = kLoopBound;
  brute.candidate_limit = setting.load_buffering ? 30'000 : 300'000;
  const oracle::Result truth = oracle::run(test, brute);
  if (truth.gave_up) return Verdict::kTooLarge;
  tools::LitmusOptions options;
  options.model = setting.model;
  options.load_buffering = setting.load_buffering;
  options.loop_bound = kLoopBound;
  engine::Contested contested;
  for (int l = 0; l < 3; ++l)
    if ((setting.contested >> l & 1) != 0) contested.add(model::LocationId{l});
  contested.use();
  options.contested = &contested;
  explore::Uniqueness uniqueness;
  const tools::LitmusResult result = tools::search(test, options, &uniqueness);
  std::set<litmus::State> states;
  for (const auto& [state, count] : result.states) states.insert(state);
  const bool equal = states == truth.states && result.executions == truth.executions && result.blocked == truth.blocked &&
                     result.is_racy == truth.racy && uniqueness.repeated() == 0;
  if (explain != nullptr)
    *explain << setting.name << ": oracle " << truth.executions << " classes, " << truth.blocked << " blocked, " << truth.states.size()
             << " states, racy " << truth.racy << "; explorer " << result.executions << ", " << result.blocked << ", " << states.size()
             << ", racy " << result.is_racy << (uniqueness.repeated() > 0 ? "; a class came twice" : "") << "\n"
             << litmus::to_source(test);
  return equal ? Verdict::kEqual : Verdict::kDifferent;
}

void expect_equal(const Recipe& recipe, const Setting& setting, const std::string& origin, int& compared) {
  const Verdict verdict = compare(recipe, setting);
  if (verdict == Verdict::kEqual) ++compared;
  if (verdict != Verdict::kDifferent) return;
  const Recipe smallest = shrink(recipe, [&](const Recipe& r) { return compare(r, setting) == Verdict::kDifferent; });
  std::ostringstream text;
  compare(smallest, setting, &text);
  ADD_FAILURE() << origin << "\n" << text.str();
}

/// Compares `count` random programs of a flavour; a few may be too large for brute force.
void compare_random(const Setting& setting, const Flavour& flavour, int count) {
  const char* chosen = std::getenv("ORDEAL_TEST_SEED");
  const auto seed = static_cast<std::uint64_t>(chosen != nullptr ? std::atoll(chosen) : 20261115);
  int compared = 0;
  count = scaled(count);
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    base::Rng rng(seed, static_cast<std::uint64_t>(i));
    expect_equal(random_recipe(rng, flavour), setting,
                 "flavour " + flavour.name + ", seed " + std::to_string(seed) + ", program " + std::to_string(i), compared);
  }
  if (testing::Test::HasFailure()) return;
  EXPECT_GE(compared, count * 9 / 10) << "too many programs were too large for brute force";
}

Flavour mixed() { return {"mixed", 2, 3, 9, 2, 20, 10, 25, 5, 30, 5, true}; }
Flavour seq_cst() { return {"seq_cst", 2, 3, 8, 2, 15, 15, 70, 3, 20, 0, true}; }
Flavour rmw() { return {"RMW", 2, 3, 7, 2, 55, 5, 20, 0, 25, 0, true}; }
Flavour rmw_release_sc() { return {"RMW-release-sc, 3 threads", 3, 3, 8, 2, 40, 10, 45, 0, 0, 0, false}; }
Flavour wide() { return {"4 threads", 4, 4, 9, 3, 15, 10, 30, 3, 20, 0, true}; }
Flavour buffering() { return {"load buffering", 2, 3, 6, 2, 12, 8, 10, 0, 25, 0, true}; }

class DifferentialTest : public testing::TestWithParam<Setting> {};

TEST_P(DifferentialTest, MixedProgramsAgreeWithBruteForce) { compare_random(GetParam(), mixed(), 1200); }
TEST_P(DifferentialTest, SeqCstProgramsAgreeWithBruteForce) { compare_random(GetParam(), seq_cst(), 1000); }
TEST_P(DifferentialTest, RmwProgramsAgreeWithBruteForce) { compare_random(GetParam(), rmw(), 600); }
TEST_P(DifferentialTest, RmwReleaseSeqCstShapesOfThreeThreadsAgreeWithBruteForce) { compare_random(GetParam(), rmw_release_sc(), 600); }
TEST_P(DifferentialTest, ProgramsOfFourThreadsAgreeWithBruteForce) { compare_random(GetParam(), wide(), 300); }

INSTANTIATE_TEST_SUITE_P(Models, DifferentialTest, testing::Values(kCpp20, kRc11, kSc, kTso),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// Threads at some locations wait for the others (engine/contested.h).
constexpr Setting with_contested(Setting setting, unsigned contested) {
  setting.contested = contested;
  return setting;
}

class ContestedTest : public testing::TestWithParam<Setting> {};

TEST_P(ContestedTest, MixedProgramsAgreeWithBruteForce) { compare_random(GetParam(), mixed(), 300); }
TEST_P(ContestedTest, SeqCstProgramsAgreeWithBruteForce) { compare_random(GetParam(), seq_cst(), 200); }
TEST_P(ContestedTest, RmwProgramsAgreeWithBruteForce) { compare_random(GetParam(), rmw(), 200); }
TEST_P(ContestedTest, ProgramsOfFourThreadsAgreeWithBruteForce) { compare_random(GetParam(), wide(), 100); }

INSTANTIATE_TEST_SUITE_P(Models, ContestedTest,
                         testing::Values(with_contested(kCpp20, 1), with_contested(kCpp20, 2), with_contested(kCpp20, 7), with_contested(kRc11, 1),
                                         with_contested(kSc, 3), with_contested(kTso, 2)),
                         [](const auto& instance) { return std::string(instance.param.name) + "_" + std::to_string(instance.param.contested); });

TEST(LoadBufferingDifferentialTest, Cpp20AgreesWithBruteForce) { compare_random(kCpp20Lb, buffering(), 3000); }
TEST(LoadBufferingDifferentialTest, Rc11AgreesWithBruteForce) { compare_random(kRc11Lb, buffering(), 1500); }

/// Every program of two threads with up to two steps each over two locations, from a small alphabet.
std::vector<Step> alphabet(bool seq_cst) {
  std::vector<Step> steps;
  for (const int location : {0, 1}) {
    for (const Step::Kind kind : {Step::Kind::kLoad, Step::Kind::kStore, Step::Kind::kRmw}) {
      Step step;
      step.kind = kind;
      step.location = location;
      step.order = seq_cst ? litmus::Order::kSeqCst : litmus::Order::kRelaxed;
      steps.push_back(step);
    }
  }
  Step fence;
  fence.kind = Step::Kind::kFence;
  fence.order = litmus::Order::kSeqCst;
  steps.push_back(fence);
  return steps;
}

std::vector<std::vector<Step>> all_threads() {
  std::vector<Step> steps = alphabet(false);
  for (const Step& step : alphabet(true)) steps.push_back(step);
  std::vector<std::vector<Step>> threads;
  for (const Step& a : steps)
    for (const Step& b : steps) threads.push_back({a, b});
  return threads;
}

class FamilyTest : public testing::TestWithParam<Setting> {};

TEST_P(FamilyTest, AllProgramsOfTwoThreadsAndTwoStepsAgreeWithBruteForce) {
  const auto threads = all_threads();
  int compared = 0;
  const std::size_t stride = static_cast<std::size_t>(std::max(1.0, 1.0 / std::atof(std::getenv("ORDEAL_TEST_SCALE") != nullptr ? std::getenv("ORDEAL_TEST_SCALE") : "1")));
  for (std::size_t i = 0; i < threads.size() && !HasFailure(); ++i)
    for (std::size_t j = i; j < threads.size() && !HasFailure(); j += stride)
      expect_equal({2, {threads[i], threads[j]}}, GetParam(), "family " + std::to_string(i) + ", " + std::to_string(j), compared);
  EXPECT_GT(compared, 1000);
}

INSTANTIATE_TEST_SUITE_P(Models, FamilyTest, testing::Values(kCpp20, kRc11, kSc, kTso),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace ordeal::tests
