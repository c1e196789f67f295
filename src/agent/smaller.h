// After a bug the search goes on for a while, for the same bug in an execution that is easier to read (analysis/cost.h): fewer reads
// of older values, fewer changes of thread, fewer events.
//
// The same bug is one of the same kind at the same places. The search goes on for as many executions as it took, twice, and at least
// 200, so that the same program gives the same report; 2 seconds at most, which only slow programs reach. What is told of the search
// (how many executions, how long) is what it was when the bug was found: that result is handed over first, and is what is left if the
// process does not survive the rest. Only the bug is replaced.
#pragma once

#include <algorithm>
#include <cstdint>

#include "analysis/cost.h"

namespace ordeal::agent {

class Smaller {
 public:
  static constexpr std::uint64_t kLeast = 200;
  static constexpr double kSeconds = 2;

  /// The search has found its bug, with so many executions.
  void begin(const model::ExecutionGraph& graph, std::uint64_t executions, double now) {
    is_on_ = true;
    best_ = analysis::cost_of(graph);
    left_ = std::max(kLeast, 2 * executions);
    deadline_ = now + kSeconds;
  }
  bool is_on() const { return is_on_; }
  /// Asked before each execution.
  bool is_over(double now) { return left_-- == 0 || now > deadline_; }
  /// Whether this one is to be preferred to the best so far, which it then is.
  bool improves(const model::ExecutionGraph& graph) {
    const analysis::Cost cost = analysis::cost_of(graph);
    if (!(cost < best_)) return false;
    best_ = cost;
    return true;
  }

 private:
  bool is_on_ = false;
  analysis::Cost best_;
  std::uint64_t left_ = 0;
  double deadline_ = 0;
};

}  // namespace ordeal::agent
