// SC analysis on every litmus test: the classes of a weak model that it calls interleavings are exactly those of the model sc. And what
// is kept from one execution of a search to the next changes no answer: on random programs each trace, looked at alone, gives the same.
#include <gtest/gtest.h>

#include <set>

#include "analysis/sc_of_search.h"
#include "tests/support/corpus.h"
#include "tests/support/exploration.h"
#include "tests/support/models.h"
#include "tests/support/recipe.h"
#include "tests/support/scale.h"
#include "tests/support/sync_recipe.h"
#include "tools/litmus_search.h"

namespace ordeal::tests {
namespace {

using model::Model;

class NoName final : public trace::Names {
 public:
  std::string thread(model::ThreadId) const override { return ""; }
  std::string location(model::LocationId) const override { return ""; }
  std::uint32_t line(const model::Event&) const override { return 0; }
};

/// Complete executions, each judged by what is kept of those before and alone; of one program the first thousand.
class BothWays final : public engine::Observer {
 public:
  void begin() { left_ = 1000; }
  bool finished(const engine::Execution& execution) override {
    if (--left_ < 0 || execution.ending != engine::Ending::kComplete) return left_ >= 0;
    ++executions;
    const analysis::Sc answer = sc_.decide(execution.graph);
    operations_.assign(trace::record(execution, NoName(), "", ""));
    const analysis::Sc alone = equivalence_.decide(operations_);
    different += answer == alone ? 0 : 1;
    weak += alone == analysis::Sc::kNo ? 1 : 0;
    return true;
  }
  std::size_t spared() const { return sc_.spared(); }
  int executions = 0, weak = 0, different = 0;

 private:
  int left_ = 0;
  analysis::ScOfSearch sc_;
  analysis::Operations operations_;
  analysis::ScEquivalence equivalence_;
};

/// Complete executions in names that depend on no order: each thread's events and what they read, modification order if `with_mo`.
class Classes final : public engine::Observer {
 public:
  explicit Classes(bool with_mo) : with_mo_(with_mo) {}
  bool finished(const engine::Execution& execution) override {
    if (execution.ending != engine::Ending::kComplete) return true;
    const analysis::Sc answer = sc_.decide(execution.graph);
    EXPECT_NE(answer, analysis::Sc::kUndecided);
    operations_.assign(trace::record(execution, NoName(), "", ""));
    EXPECT_EQ(equivalence_.decide(operations_), answer);
    EXPECT_EQ(equivalence_.assumptions(), 0U);  // no search on what the literature has
    (answer == analysis::Sc::kYes ? sc : not_sc).insert(key(execution.graph));
    return true;
  }
  std::set<std::string> sc, not_sc;

 private:
  std::string key(const model::ExecutionGraph& graph) const {
    std::vector<std::string> threads(static_cast<std::size_t>(graph.threads()));
    for (int slot = 0; slot < graph.size(); ++slot) {
      const model::Event& event = graph.event(model::Slot{slot});
      if (event.kind == model::EventKind::kAttempt) continue;
      std::string& text = threads[static_cast<std::size_t>(number(event.thread))];
      text += std::to_string(static_cast<int>(event.kind)) + "@" + std::to_string(number(event.location)) + "=" + std::to_string(event.value);
      if (with_mo_) text += "#" + std::to_string(event.mo_position);
      if (event.failed_spuriously) text += "!";
      if (event.kind == model::EventKind::kRead) text += "<" + name(graph, event.rf);
      text += " ";
    }
    std::string all;
    for (const std::string& text : threads) all += text + "|";
    return all;
  }
  static std::string name(const model::ExecutionGraph& graph, model::Slot slot) {
    if (model::is_initial(slot)) return "init";
    return std::to_string(number(graph.event(slot).thread)) + "." + std::to_string(graph.place_in_class(slot));
  }

  bool with_mo_;
  analysis::ScOfSearch sc_;
  analysis::Operations operations_;
  analysis::ScEquivalence equivalence_;
};

Classes classes_of(const litmus::Test& test, Model model, bool load_buffering, bool with_mo) {
  Classes classes(with_mo);
  tools::LitmusOptions options;
  options.model = model;
  options.load_buffering = load_buffering;
  tools::search(test, options, &classes);
  return classes;
}

TEST(ScAnalysis, OnLitmusTestsItAllowsWhatTheModelScAllows) {
  int weak = 0;
  for (const litmus::Test& test : corpus()) {
    SCOPED_TRACE(test.file);
    const Classes sc = classes_of(test, Model::kSc, false, false), with_mo = classes_of(test, Model::kSc, false, true);
    EXPECT_TRUE(sc.not_sc.empty());
    for (const Model model : {Model::kCpp20, Model::kRc11}) {
      const Classes found = classes_of(test, model, false, false);
      EXPECT_EQ(found.sc, sc.sc);
      weak += found.not_sc.empty() ? 0 : 1;
    }
    EXPECT_EQ(classes_of(test, Model::kCpp20, true, false).sc, sc.sc);
    EXPECT_EQ(classes_of(test, Model::kTso, false, true).sc, with_mo.sc);
  }
  EXPECT_GT(weak, 100);
}

TEST(ScAnalysis, OnRandomProgramsWhatIsKeptChangesNoAnswer) {
  const Flavour flavour{.name = "weak", .min_threads = 3, .max_threads = 3, .max_steps = 12, .max_locations = 2, .percent_rmw = 15, .percent_fence = 0, .percent_seq_cst = 3, .percent_guard = 10};
  BothWays both;  // one for all: what is kept of one program must not matter in the next
  for (int seed = 0; seed < scaled(150); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed), 4712);
    const litmus::Test test = to_test(random_recipe(rng, flavour), "random");
    for (const Model model : kAllModels)
      for (const bool load_buffering : {false, true}) {
        if (load_buffering && (model != Model::kCpp20 || seed % 10 != 0)) continue;
        tools::LitmusOptions options;
        options.model = model;
        options.load_buffering = load_buffering;
        both.begin();
        tools::search(test, options, &both);
        ASSERT_EQ(both.different, 0) << "seed " << seed << ", " << model::name_of(model) << (load_buffering ? " with load buffering" : "");
      }
  }
  std::printf("%d executions, %d weak, %zu spared\n", both.executions, both.weak, both.spared());
  if (scaled(150) < 150) return;  // too few to say
  EXPECT_GT(both.weak, 200);
  EXPECT_GT(both.spared(), 50U);
}

TEST(ScAnalysis, OnRandomProgramsWithThreadsThatWaitWhatIsKeptChangesNoAnswer) {
  constexpr SyncFlavour flavour{.name = "weak", .max_threads = 3, .max_blocks = 1, .percent_access = 80, .percent_await = 5, .percent_fence = 5, .percent_condition = 10, .percent_shared = 20, .percent_semaphore = 5,
                                .percent_replace = 15, .percent_choose = 5};
  BothWays both;
  for (int seed = 0; seed < scaled(400); ++seed)
    for (const Model model : kAllModels) {
      base::Rng rng(static_cast<std::uint64_t>(seed), 4713);
      const SyncRecipe recipe = random_sync_recipe(rng, flavour);
      ScriptedProgram program;
      add_threads(recipe, program);
      both.begin();
      explore_all(program, model, &both, &useless_values());
      ASSERT_EQ(both.different, 0) << "seed " << seed << ", " << model::name_of(model) << "\n" << text_of(recipe);
    }
  std::printf("%d executions, %d weak, %zu spared\n", both.executions, both.weak, both.spared());
  EXPECT_TRUE(both.weak > 20 || scaled(400) < 400) << "too few to say something";
}

}  // namespace
}  // namespace ordeal::tests
