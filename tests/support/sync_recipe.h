// Random programs with mutexes, condition variables and loads that wait, for comparing the search with brute force.
//
// A recipe is data, so that one that fails can be cut down and printed. Locks are blocks, so unlocks always fit.
#pragma once

#include <string>
#include <vector>

#include "base/rng.h"
#include "model/useless_values.h"
#include "tests/support/scripted_program.h"

namespace ordeal::tests {

struct SyncStep {
  enum class Kind { kLoad, kStore, kAdd, kFence, kLock, kTry, kAwait, kAwaitUseful, kExchangeUseful, kReplaceUseful, kWait, kNotifyOne, kNotifyAll };
  Kind kind = Kind::kLoad;
  int object = 0;  // which atomic, mutex or condition variable
  Value value = 0;
  MemoryOrder order = MemoryOrder::kRelaxed;
  int place = 0;   // of kAwaitUseful and kExchangeUseful
  int guard = -1;  // not negative: only if the last value loaded is this
  std::vector<SyncStep> body{};  // of lock and try
};

struct SyncRecipe {
  int atomics = 1, mutexes = 1, conditions = 1;
  bool is_forked = false;  // the first thread creates the others, and joins them in the end
  std::vector<std::vector<SyncStep>> threads;
};

struct SyncFlavour {
  const char* name = "";
  int max_threads = 3;
  int max_blocks = 2;      // lock or try blocks at the outermost level of a thread
  int percent_access = 40; // another access before, in and behind each block
  int percent_try = 0;
  int percent_nested = 0;
  int percent_await = 0;   // of the accesses
  int percent_useful = 0;  // likewise: loads and exchanges that wait for a useful value
  int percent_fence = 0;
  int percent_condition = 0;
};

/// What is useless at the places of recipes: at place p the values v with bit v of p set.
const model::UselessValues& useless_values();

SyncRecipe random_sync_recipe(base::Rng& rng, const SyncFlavour& flavour);
void add_threads(const SyncRecipe& recipe, ScriptedProgram& program);
std::string text_of(const SyncRecipe& recipe);
/// All recipes that are this one with a step taken out.
std::vector<SyncRecipe> smaller(const SyncRecipe& recipe);

}  // namespace ordeal::tests
