// Uniqueness: does a search report any class twice?
//
// A class is what the program can see of an execution: each thread's events, what each read reads, the other choices,
// and, where it is explicit, modification order; not the attempts of a lock (model/event.h). Its *key* writes that down
// as bytes, thread by thread, in names that depend neither on slots nor on stamps. Two executions are the same class iff
// their keys are equal; all keys are kept, so the answer is exact and the memory grows with the number of classes: this is
// for tests.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "engine/observer.h"
#include "model/execution_graph.h"

namespace ordeal::explore {

std::string class_key(const model::ExecutionGraph& graph);

class Uniqueness final : public engine::Observer {
 public:
  bool finished(const engine::Execution& execution) override {
    if (!keys_.insert(class_key(execution.graph)).second) ++repeated_;
    return true;
  }

  std::uint64_t repeated() const { return repeated_; }
  const std::unordered_set<std::string>& keys() const { return keys_; }

 private:
  std::unordered_set<std::string> keys_;
  std::uint64_t repeated_ = 0;
};

}  // namespace ordeal::explore
