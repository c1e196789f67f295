// The final states of a litmus test, gathered over all execution classes.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/observer.h"
#include "litmus/interpreter.h"
#include "model/consistency.h"
#include "model/race.h"

namespace ordeal::litmus {

using State = std::vector<Value>;  // aligned with Test::observables()

struct StateHash {
  std::size_t operator()(const State& state) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const Value value : state) {
      hash ^= static_cast<std::uint64_t>(value);
      hash *= 0xff51afd7ed558ccd;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

/// Watches a session over an Interpreter.
class Outcomes final : public engine::Observer {
 public:
  Outcomes(const Test& test, const Interpreter& interpreter, model::Consistency& consistency);
  bool finished(const engine::Execution& execution) override;

  /// State → how many classes end in it; a class counts for each of its final states.
  const std::unordered_map<State, std::uint64_t, StateHash>& states() const { return states_; }
  bool is_racy() const { return is_racy_; }
  /// "P0 writes x (line 4) and P1 reads x (line 9)" for the first race found.
  const std::string& race() const { return race_; }
  /// Whether a state was reached that a ~exists or forall excludes.
  bool is_unexpected() const { return is_unexpected_; }

 private:
  void read_variables(const model::ExecutionGraph& graph);
  void record();

  const Test& test_;
  const Interpreter& interpreter_;
  model::Consistency& consistency_;
  std::vector<Observable> watched_;           // the test's observables, then what only its filter names
  std::size_t shown_ = 0;                     // how many are observables of the test
  std::vector<model::LocationId> locations_;  // those of watched_ that are locations …
  std::vector<std::size_t> location_at_;      // … and where they stand there
  State all_;                                 // values of watched_
  State state_;                               // the part that is shown
  std::unordered_map<State, std::uint64_t, StateHash> states_;
  bool has_plain_accesses_;
  bool is_racy_ = false, is_unexpected_ = false;
  std::string race_;
};

}  // namespace ordeal::litmus
