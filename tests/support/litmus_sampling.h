// Litmus tests under random testing: one execution at a time, by a sample::Sampler, as runtime/testing does it for compiled programs.
//
// All threads of a test exist from the start: thread 0 of the sampler creates them and ends, thread t + 1 is P<t>. Plain accesses
// are relaxed ones.
#pragma once

#include <optional>
#include <vector>

#include "litmus/interpreter.h"
#include "litmus/outcomes.h"
#include "model/consistency.h"
#include "sample/sampler.h"

namespace ordeal::tests {

class LitmusSampling {
 public:
  explicit LitmusSampling(const litmus::Test& test, int loop_bound = 8);

  /// The final state; none if a bound of loops cut the execution, or the test's filter does not hold.
  std::optional<litmus::State> run(sample::Strategy& strategy, std::uint64_t seed, std::uint64_t execution);
  sample::Sampler& sampler() { return sampler_; }

  /// Each execution is also built as a graph: `is_consistent` tells whether the model accepted every step of the last one.
  void set_graphs(bool on) { has_graph_ = on; }
  bool is_consistent() const { return is_consistent_; }

 private:
  void begin(sample::Strategy& strategy, std::uint64_t seed, std::uint64_t execution);
  engine::Result perform(int thread, const engine::Operation& operation);
  engine::Result load(int thread, const engine::Operation& operation);
  engine::Result rmw(int thread, const engine::Operation& operation);
  std::optional<litmus::State> state();
  litmus::Value value_of(const litmus::Observable& observable);
  // The graph.
  void push_read(const model::Access& access, const sample::Store& source, bool succeeded);
  void push_write(const model::Access& access);
  void push_fence(const model::Access& access);
  std::uint32_t next_slot() const { return static_cast<std::uint32_t>(graph_.size()); }

  const litmus::Test& test_;
  litmus::Interpreter interpreter_;
  sample::Sampler sampler_;
  std::vector<litmus::Observable> observables_;
  bool has_graph_ = false, is_consistent_ = true;
  model::ExecutionGraph graph_;
  model::Consistency consistency_{model::Model::kCpp20};
};

}  // namespace ordeal::tests
