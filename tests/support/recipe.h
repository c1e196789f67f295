// Random litmus programs in a form that is easy to cut down: flat lists of instructions, each with an optional guard.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "litmus/ast.h"

namespace ordeal::tests {

struct Step {
  enum class Kind : std::uint8_t { kLoad, kStore, kRmw, kCompareExchange, kFence } kind = Kind::kLoad;
  int location = 0;
  litmus::Order order = litmus::Order::kRelaxed;
  litmus::Order failure_order = litmus::Order::kRelaxed;
  litmus::RmwOp function = litmus::RmwOp::kAdd;
  bool is_weak = false;
  int value = 1;          // stored, added, desired; with `from` ≥ 0: register `from` plus `value`
  int from = -1;
  int expected = 0;
  int guard = -1;         // a register of the thread, set by an earlier step
  int guard_value = 0;
  bool guard_equal = true;
  int repeat = 1;         // 2: the step stands in a loop of at most two turns that ends when its register is not 0
};

struct Recipe {
  int locations = 1;
  std::vector<std::vector<Step>> threads;  // step i of a thread writes register r<i>
};

/// What a random program is made of.
struct Flavour {
  std::string name;
  int min_threads = 2, max_threads = 3;
  int max_steps = 9;         // over all threads
  int max_locations = 2;
  int percent_rmw = 20, percent_fence = 10, percent_seq_cst = 25, percent_plain = 0, percent_guard = 30, percent_loop = 0;
  bool data_dependencies = true;
};

Recipe random_recipe(base::Rng& rng, const Flavour& flavour);
litmus::Test to_test(const Recipe& recipe, const std::string& name);

/// The smallest recipe that still `fails`, by leaving out threads and steps and simplifying what is left.
Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& fails);

}  // namespace ordeal::tests
