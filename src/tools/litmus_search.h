// One litmus test, explored to its end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/contested.h"
#include "engine/observer.h"
#include "litmus/outcomes.h"
#include "model/consistency.h"

namespace ordeal::tools {

struct LitmusOptions {
  model::Model model = model::Model::kCpp20;
  bool load_buffering = false;
  bool spurious_failures = true;
  bool checkpoints = true;  // false: run the test from its start each time, as native programs are
  int loop_bound = 8;
  double time_limit = 0;              // seconds; 0: none
  std::uint64_t execution_limit = 0;  // 0: none
  const engine::Contested* contested = nullptr;  // locations at which threads wait for the others; the result is the same
};

struct LitmusResult {
  std::map<litmus::State, std::uint64_t> states;  // → (class, final memory) pairs that end there
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  std::uint64_t given_up = 0;
  bool bound_was_hit = false;
  std::vector<std::string> limits;   // what else cut the search: time, number, interrupt
  bool is_racy = false;
  std::string race;
  double seconds = 0;
};

/// Is told of the first execution that has a race, and of the first that ends in a state which a ~exists or forall excludes.
class LitmusWitness {
 public:
  virtual ~LitmusWitness() = default;
  virtual void racy(const engine::Execution& execution) = 0;
  virtual void unexpected(const engine::Execution& execution) = 0;
};

/// Explores all classes. `observer`, if given, sees each. Throws litmus::RuntimeError.
LitmusResult search(const litmus::Test& test, const LitmusOptions& options, engine::Observer* observer = nullptr, LitmusWitness* witness = nullptr);

/// Makes a search under way end early, from a signal handler too.
void interrupt_search();

}  // namespace ordeal::tools
