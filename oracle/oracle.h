// The oracle: all behaviours of a litmus test, by brute force over the axioms of the memory model.
//
// Slow and obvious, and independent of what it checks: it shares nothing with the engine but the syntax tree.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "litmus/ast.h"

namespace ordeal::oracle {

enum class Model { kCpp20, kRc11, kSc, kTso };

struct Options {
  Model model = Model::kCpp20;
  bool load_buffering = false;              // cpp20, rc11: certified promises instead of "no thin air"
  bool spurious = true;                     // whether a weak compare-exchange may fail although the values are equal
  int loop_bound = 8;                       // turns of a loop each time it is entered
  std::size_t candidate_limit = 2'000'000;  // graphs and modification orders tried before it gives up
};

using State = std::vector<litmus::Value>;  // aligned with test.observables()

struct Result {
  std::set<State> states;
  std::size_t executions = 0;  // consistent complete classes (sc, tso: with their modification order)
  std::size_t blocked = 0;     // consistent classes in which a loop bound cut a thread
  bool racy = false;
  bool gave_up = false;        // a limit was hit: the rest is incomplete
  std::size_t candidates = 0;  // tried
};

/// Throws std::runtime_error if a thread accesses an address that is no location.
Result run(const litmus::Test& test, const Options& options);

}  // namespace ordeal::oracle
