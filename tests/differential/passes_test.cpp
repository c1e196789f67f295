// The search in two passes (explore/passes.h): the first finds the executions without a spurious failure, all of them and nothing else; and a
// search that is cut anywhere in the second has seen what is counted.
#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/session.h"
#include "explore/exhaustive.h"
#include "explore/passes.h"
#include "explore/uniqueness.h"
#include "litmus/interpreter.h"
#include "litmus/printer.h"
#include "tests/support/models.h"
#include "tests/support/recipe.h"
#include "tests/support/scale.h"

namespace ordeal::tests {
namespace {

constexpr int kLoopBound = 2;
constexpr std::uint64_t kMostClasses = 3000;

/// Classes with and without a spurious failure.
class Classes final : public engine::Observer {
 public:
  bool finished(const engine::Execution& execution) override {
    const bool fails = explore::has_spurious_failure(execution.graph);
    const std::string key = explore::class_key(execution.graph) + (execution.ending == engine::Ending::kComplete ? "c" : "b");
    if (!(fails ? with : without).insert(key).second) ++repeated;
    return with.size() + without.size() <= kMostClasses;
  }
  std::set<std::string> with, without;
  int repeated = 0;
};

/// Counts as the judge of compiled programs does.
class Counting final : public engine::Observer {
 public:
  explicit Counting(explore::Passes& passes) : passes_(passes) {}
  bool finished(const engine::Execution& execution) override {
    if (!passes_.has_seen(execution.graph)) passes_.count(execution.ending);
    return true;
  }

 private:
  explore::Passes& passes_;
};

struct Cut {
  std::uint64_t left;
  static bool reached(void* data) { return static_cast<Cut*>(data)->left-- == 0; }
};

/// One pass; `most` executions.
class Search {
 public:
  Search(const litmus::Test& test, model::Model model) : interpreter_(test, kLoopBound), exhaustive_(model), session_(interpreter_, exhaustive_) { session_.add(classes); }
  explore::Exhaustive& decider() { return exhaustive_; }
  engine::Session& session() { return session_; }
  const engine::Counts& run(std::uint64_t most = std::uint64_t(-1)) {
    Cut cut{most};
    session_.stop_when(&Cut::reached, &cut);
    return session_.run();
  }
  Classes classes;

 private:
  litmus::Interpreter interpreter_;
  explore::Exhaustive exhaustive_;
  engine::Session session_;
};

struct Tally {
  int programs = 0, of_one_pass = 0, of_two = 0;
};

/// A search in two passes, the second cut after `most` executions: what `passes` has counted is what was seen.
std::string difference_of_counts(const litmus::Test& test, model::Model model, std::uint64_t most) {
  explore::Passes passes;
  Counting counting(passes);
  passes.begin_first();
  passes.begin_round();
  Search first(test, model);
  first.decider().postpone_spurious_failures(true);
  first.session().add(counting);
  const engine::Counts counts = first.run();
  passes.end_round(true, first.decider().has_postponed());
  if (passes.is_cut()) return "the first pass was not cut";
  passes.begin_second(counts);
  passes.begin_round();
  Search second(test, model);
  second.session().add(counting);
  const bool is_whole = !second.run(most).stopped;
  passes.end_round(is_whole, false);
  if (passes.is_cut() == is_whole) return "whether the second pass was cut";
  const engine::Counts seen = passes.seen();
  if (seen.complete + seen.blocked != first.classes.without.size() + second.classes.with.size()) return "the number of executions that were seen";
  if (is_whole && (seen.complete != second.session().counts().complete || seen.blocked != second.session().counts().blocked)) return "the counts of a whole search";
  return "";
}

/// What is wrong with one program; empty: nothing.
std::string difference(const Recipe& recipe, model::Model model, Tally& tally) {
  const litmus::Test test = to_test(recipe, "random");
  Search whole(test, model), first(test, model), none(test, model);
  whole.run();
  if (whole.session().counts().stopped) return "";  // too large
  first.decider().postpone_spurious_failures(true);
  first.run();
  none.decider().set_spurious_failures(false);
  none.run();
  ++tally.programs;
  ++(first.decider().has_postponed() ? tally.of_two : tally.of_one_pass);
  if (whole.classes.repeated + first.classes.repeated + none.classes.repeated > 0) return "a class came twice";
  if (!first.classes.with.empty()) return "a spurious failure in the first pass";
  if (first.classes.without != whole.classes.without) return "the first pass is not what has no spurious failure";
  if (none.classes.without != whole.classes.without) return "the search without such failures";
  if (none.decider().has_postponed() || whole.decider().has_postponed()) return "something was postponed that should not have been";
  if (!first.decider().has_postponed()) return whole.classes.with.empty() ? "" : "a second pass was needed";
  return difference_of_counts(test, model, (whole.session().counts().complete + whole.session().counts().blocked) * 2 / 3);
}

void make_weak(Recipe& recipe) {
  for (std::vector<Step>& thread : recipe.threads)
    for (Step& step : thread) step.is_weak |= step.kind == Step::Kind::kCompareExchange;
}

void compare(const Flavour& flavour, int count) {
  for (const model::Model model : kAllModels) {
    Tally tally, ignored;
    for (int seed = 0; seed < scaled(count); ++seed) {
      base::Rng rng(static_cast<std::uint64_t>(seed), 3203);
      Recipe recipe = random_recipe(rng, flavour);
      make_weak(recipe);
      const std::string wrong = difference(recipe, model, tally);
      if (wrong.empty()) continue;
      const Recipe small = shrink(recipe, [&](const Recipe& candidate) { return !difference(candidate, model, ignored).empty(); });
      FAIL() << flavour.name << ", seed " << seed << ", " << model::name_of(model) << ": " << wrong << "\ncut down: " << difference(small, model, ignored) << "\n"
             << litmus::to_source(to_test(small, "random"));
    }
    std::cout << flavour.name << ", " << model::name_of(model) << ": " << tally.of_one_pass << " programs of one pass, " << tally.of_two << " of two\n";
    EXPECT_GT(tally.of_one_pass, tally.programs / 10);
    EXPECT_GT(tally.of_two, tally.programs / 10);
  }
}

TEST(PassesDifferentialTest, RmwProgramsHaveTheSameClassesInTwoPasses) { compare({"RMW", 2, 3, 6, 2, 60, 5, 20, 0, 25, 0, true}, 300); }
TEST(PassesDifferentialTest, MixedProgramsHaveTheSameClassesInTwoPasses) { compare({"mixed", 2, 3, 8, 2, 40, 10, 25, 5, 30, 5, true}, 300); }

}  // namespace
}  // namespace ordeal::tests
