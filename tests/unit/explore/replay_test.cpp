// Replay gives back every execution that the search finds, from its list of choices and from its trace.
#include "explore/replay.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "engine/session.h"
#include "explore/exhaustive.h"
#include "explore/uniqueness.h"
#include "litmus/interpreter.h"
#include "litmus_names.h"
#include "tests/support/recipe.h"
#include "tests/support/corpus.h"
#include "tests/support/graph_text.h"
#include "tests/support/models.h"
#include "tests/support/scale.h"
#include "trace/format.h"

namespace ordeal::tests {
namespace {

using explore::Replay;

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

struct Replayed {
  int executions = 0;
  std::string text;
  trace::Trace trace;
};

/// Replays lists of choices of one litmus test.
class Stage {
 public:
  Stage(const litmus::Test& test, model::Model model, bool checkpoints)
      : test_(test), model_(model), names_(test), program_(test, 8) {
    program_.set_checkpoints(checkpoints);
  }
  Replayed replay(const engine::UnitOfWork& list, Replay::Rest rest = Replay::Rest::kNone) {
    Replay decider(model_, list, rest);
    Replayed out;
    Watch watch([&](const engine::Execution& execution) {
      ++out.executions;
      out.text = text_of(execution.graph);
      out.trace = record(execution);
    });
    engine::Session session(program_, decider);
    session.add(watch);
    session.run();
    return out;
  }
  trace::Trace record(const engine::Execution& execution) const {
    return trace::record(execution, names_, test_.name, std::string(model::name_of(model_)));
  }

 private:
  const litmus::Test& test_;
  model::Model model_;
  LitmusNames names_;
  litmus::Interpreter program_;
};

/// Traces with their events in insertion order: the order in the file may be another one.
trace::Trace sorted(trace::Trace trace) {
  std::sort(trace.events.begin(), trace.events.end(),
            [](const auto& a, const auto& b) { return a.inserted < b.inserted; });
  return trace;
}

/// How many executions were replayed.
int check_all(const litmus::Test& test, model::Model model, bool search_checkpoints, bool replay_checkpoints) {
  Stage stage(test, model, replay_checkpoints);
  int count = 0;
  Watch watch([&](const engine::Execution& execution) {
    ++count;
    const engine::UnitOfWork list = trace::unit_of_work(execution.graph);
    const trace::Trace trace = stage.record(execution);
    ASSERT_EQ(trace::unit_of_work(trace), list);
    const Replayed replayed = stage.replay(list);
    ASSERT_EQ(replayed.executions, 1);
    ASSERT_EQ(replayed.text, text_of(execution.graph));
    ASSERT_EQ(sorted(replayed.trace), sorted(trace));
    const trace::Trace again = trace::read(trace::write(trace));
    ASSERT_EQ(again, trace);
    ASSERT_EQ(stage.replay(trace::unit_of_work(again)).text, replayed.text);
  });
  litmus::Interpreter program(test, 8);
  program.set_checkpoints(search_checkpoints);
  explore::Exhaustive exhaustive(model);
  engine::Session session(program, exhaustive);
  session.add(watch);
  session.run();
  return count;
}

TEST(Replay, GivesBackEveryExecutionOfTheCorpus) {
  int count = 0;
  for (const litmus::Test& test : sampled_corpus())
    for (const model::Model model : kAllModels)
      for (const bool search_checkpoints : {false, true})
        for (const bool replay_checkpoints : {false, true}) {
          SCOPED_TRACE(test.name + ", " + std::string(model::name_of(model)));
          count += check_all(test, model, search_checkpoints, replay_checkpoints);
          if (::testing::Test::HasFailure()) return;
        }
  EXPECT_GT(count, 5000);
}

TEST(Replay, GivesBackEveryExecutionOfRandomPrograms) {
  const Flavour flavours[] = {
      {.name = "short", .percent_rmw = 40, .percent_loop = 20},
      {.name = "seq_cst", .max_steps = 7, .percent_fence = 20, .percent_seq_cst = 70, .percent_plain = 10}};
  int count = 0;
  for (int seed = 0; seed < scaled(120); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed), 17);
    const litmus::Test test = to_test(random_recipe(rng, flavours[seed % 2]), "random");
    for (const model::Model model : kAllModels) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(model::name_of(model)));
      count += check_all(test, model, rng.chance(50), rng.chance(50));
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(count, scaled(120) * 4);
}

/// Every beginning of an execution in an order that respects po and rf is a unit of work too.
TEST(Replay, StopsWhereAnOpenListEnds) {
  for (const litmus::Test& test : corpus())
    for (const model::Model model : kAllModels) {
      SCOPED_TRACE(test.name + ", " + std::string(model::name_of(model)));
      Stage stage(test, model, false);
      litmus::Interpreter program(test, 8);
      explore::Exhaustive exhaustive(model);
      engine::Session session(program, exhaustive);
      Watch watch([&](const engine::Execution& execution) {
        model::ExecutionGraph beginning;
        const int size = execution.graph.size() / 2;
        if (size > 0 && execution.graph.event(model::Slot{size - 1}).kind == model::EventKind::kRead &&
            execution.graph.event(model::Slot{size - 1}).is_rmw)
          return;  // half an RMW
        beginning.copy_prefix(execution.graph, size);
        const Replayed replayed = stage.replay(trace::unit_of_work(beginning), Replay::Rest::kOpen);
        ASSERT_EQ(replayed.text, text_of(beginning));
      });
      session.add(watch);
      session.run();
      if (::testing::Test::HasFailure()) return;
    }
}

}  // namespace
}  // namespace ordeal::tests
