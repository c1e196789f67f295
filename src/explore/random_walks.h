// Executions at random, one after the other: to see quickly what comes up in a program (model/seen_writes.h). They judge nothing, and some may come twice.
//
// The session chooses threads at random (Session::shuffle), and each read takes any write that it may read.
#pragma once

#include <cstdint>

#include "base/rng.h"
#include "explore/exhaustive.h"

namespace ordeal::explore {

class RandomWalks final : public engine::Decider {
 public:
  RandomWalks(model::Model model, std::uint64_t count, std::uint64_t seed) : search_(model), rng_(seed), left_(count) {
    search_.set_leaves_dead_ends(false);
    search_.set_random(&rng_);
  }
  /// What it is made of, to be prepared like any other search.
  Exhaustive& search() { return search_; }

  model::ExecutionGraph& graph() override { return search_.graph(); }
  bool advance() override { return left_-- > 0 && search_.begin_again(); }
  bool decide(const engine::Operation& operation) override { return search_.decide(operation); }
  bool decide_alone(const engine::Operation& operation, std::span<const engine::Operation> waiting) override {
    return search_.decide_alone(operation, waiting);
  }
  bool can_go_on(const engine::Operation& operation) override { return search_.can_go_on(operation); }
  bool can_end(std::span<const engine::Operation> waiting) override { return search_.can_end(waiting); }
  bool ends_redundantly(std::span<const engine::Operation> waiting) override {
    return search_.ends_redundantly(waiting);
  }

 private:
  Exhaustive search_;
  base::Rng rng_;
  std::uint64_t left_;
};

}  // namespace ordeal::explore
