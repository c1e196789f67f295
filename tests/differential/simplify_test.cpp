// The order in which an execution is shown, on every class of every litmus test: it keeps happens-before and the forced order of seq_cst
// operations, and interleavings have no surprising reads.
#include <gtest/gtest.h>

#include "analysis/simplify.h"
#include "model/seq_cst.h"
#include "tests/support/corpus.h"
#include "tools/litmus_search.h"

namespace ordeal::tests {
namespace {

using model::Model;
using model::Slot;

class Nameless final : public trace::Names {
 public:
  std::string thread(model::ThreadId) const override { return ""; }
  std::string location(model::LocationId) const override { return ""; }
  std::uint32_t line(const model::Event&) const override { return 0; }
};

/// Litmus tests have no attempts: event i of the trace is in slot i.
class ShownOrders final : public engine::Observer {
 public:
  explicit ShownOrders(Model model) : model_(model), seq_cst_(model == Model::kRc11 ? model::SeqCstRules::kRc11 : model::SeqCstRules::kCpp20) {}
  bool finished(const engine::Execution& execution) override {
    const model::ExecutionGraph& graph = execution.graph;
    if (graph.attempts() > 0) return true;
    const trace::Trace trace = trace::record(execution, Nameless(), "", std::string(model::name_of(model_)));
    const analysis::ShownOrder shown = analysis::simplify(trace);
    EXPECT_EQ(shown.events.size(), trace.events.size());
    std::vector<std::size_t> place(trace.events.size(), SIZE_MAX);
    for (std::size_t i = 0; i < shown.events.size(); ++i) place[shown.events[i]] = i;
    EXPECT_EQ(std::count(place.begin(), place.end(), SIZE_MAX), 0);
    int against = 0;
    for (int a = 0; a < graph.size(); ++a)
      for (int b = 0; b < graph.size(); ++b)
        against += a != b && graph.happens_before(Slot{a}, Slot{b}) && place[static_cast<std::size_t>(a)] > place[static_cast<std::size_t>(b)] ? 1 : 0;
    EXPECT_EQ(against, 0) << "against happens-before";
    check_reads(trace, shown);
    if (shown.sc != analysis::Sc::kYes && (model_ == Model::kCpp20 || model_ == Model::kRc11)) check_seq_cst(graph, place);
    ++(shown.sc == analysis::Sc::kYes ? interleavings : others);
    return true;
  }
  int interleavings = 0, others = 0, surprises = 0, surprising_seq_cst = 0, kept = 0;

 private:
  /// Each read reads the last write above it, or says which that is.
  void check_reads(const trace::Trace& trace, const analysis::ShownOrder& shown) {
    std::vector<analysis::EventIndex> last;
    for (std::size_t l = 0; l < trace.locations.size(); ++l) last.push_back(analysis::initial_write_of(static_cast<std::int32_t>(l)));
    int found = 0;
    for (const std::size_t i : shown.events) {
      const trace::TraceEvent& event = trace.events[i];
      if (event.location < 0) continue;
      analysis::EventIndex& memory = last[static_cast<std::size_t>(event.location)];
      if (event.kind == model::EventKind::kRead) {
        analysis::EventIndex source = analysis::initial_write_of(event.location);
        for (std::size_t w = 0; w < trace.events.size(); ++w)
          if (event.rf.thread >= 0 && trace.events[w].name == event.rf) source = static_cast<analysis::EventIndex>(w);
        EXPECT_EQ(shown.expected[i], source == memory ? analysis::kNoEvent : memory);
        found += source == memory ? 0 : 1;
        surprising_seq_cst += source != memory && event.order == model::MemoryOrder::kSeqCst ? 1 : 0;
      }
      if (event.kind == model::EventKind::kWrite) memory = static_cast<analysis::EventIndex>(i);
    }
    if (shown.sc == analysis::Sc::kYes) {
      EXPECT_EQ(found, 0);
    } else {
      EXPECT_TRUE(found > 0 || model_ == Model::kTso);  // there modification order is a part of the class, and may be all that is weak
      EXPECT_FALSE(shown.cycle.empty());
    }
    surprises += found;
  }
  void check_seq_cst(const model::ExecutionGraph& graph, const std::vector<std::size_t>& place) {
    model::ExecutionGraph copy(graph);
    copy.seq_cst_relations = {};
    ASSERT_TRUE(seq_cst_.consistent_for_good(copy));
    const auto rows = copy.seq_cst_relations.rows();
    const auto& nodes = copy.seq_cst_events();
    if (nodes.size() < 2) return;
    ASSERT_EQ(rows.size(), nodes.size());
    // C++20 lets seq_cst operations stand in another order than some that happen before each other: IRIW+acq-sc. Then nothing is promised.
    std::vector<std::vector<char>> before(nodes.size(), std::vector<char>(nodes.size(), 0));
    for (std::size_t b = 0; b < nodes.size(); ++b)
      for (std::size_t a = 0; a < nodes.size(); ++a)
        before[a][b] = (rows[b] >> a & 1) != 0 || (a != b && graph.happens_before(nodes[a], nodes[b])) ? 1 : 0;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      for (std::size_t a = 0; a < nodes.size(); ++a)
        for (std::size_t b = 0; b < nodes.size(); ++b)
          if (before[a][k] != 0 && before[k][b] != 0) before[a][b] = 1;
    for (std::size_t a = 0; a < nodes.size(); ++a)
      if (before[a][a] != 0) return;
    for (std::size_t b = 0; b < nodes.size(); ++b)
      for (std::size_t a = 0; a < nodes.size(); ++a)
        if ((rows[b] >> a & 1) != 0) {
          ++kept;
          EXPECT_LT(place[static_cast<std::size_t>(number(nodes[a]))], place[static_cast<std::size_t>(number(nodes[b]))]) << "against the order of seq_cst operations";
        }
  }

  Model model_;
  model::SeqCst seq_cst_;
};

TEST(Simplify, OnLitmusTestsItKeepsWhatTheModelOrders) {
  int interleavings = 0, others = 0, surprises = 0, seq_cst = 0, kept = 0;
  for (const litmus::Test& test : corpus()) {
    SCOPED_TRACE(test.file);
    for (const bool load_buffering : {false, true}) {
      for (const Model model : {Model::kCpp20, Model::kRc11, Model::kTso}) {
        if (load_buffering && model == Model::kTso) continue;
        SCOPED_TRACE(model::name_of(model));
        ShownOrders orders(model);
        tools::LitmusOptions options;
        options.model = model;
        options.load_buffering = load_buffering;
        options.execution_limit = 2000;
        tools::search(test, options, &orders);
        interleavings += orders.interleavings, others += orders.others, surprises += orders.surprises, seq_cst += orders.surprising_seq_cst, kept += orders.kept;
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(interleavings, 1000);
  EXPECT_GT(others, 500);
  EXPECT_GT(kept, 100);
  std::printf("%d interleavings, %d others with %d surprising reads, %d of them seq_cst\n", interleavings, others, surprises, seq_cst);
}

}  // namespace
}  // namespace ordeal::tests
