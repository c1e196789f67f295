// SC analysis on every litmus test: the classes of a weak model that it calls interleavings are exactly those of the model sc.
#include <gtest/gtest.h>

#include <set>

#include "analysis/sc_equivalence.h"
#include "tests/support/corpus.h"
#include "tools/litmus_search.h"

namespace ordeal::tests {
namespace {

using model::Model;

/// Complete executions in names that depend on no order: each thread's events and what they read, modification order if `with_mo`.
class Classes final : public engine::Observer {
 public:
  explicit Classes(bool with_mo) : with_mo_(with_mo) {}
  bool finished(const engine::Execution& execution) override {
    if (execution.ending != engine::Ending::kComplete) return true;
    operations_.assign(execution.graph);
    const analysis::Sc answer = equivalence_.decide(operations_);
    EXPECT_NE(answer, analysis::Sc::kUndecided);
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

}  // namespace
}  // namespace ordeal::tests
