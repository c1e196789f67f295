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
  enum class Kind { kLoad, kStore, kAdd, kFence, kLock, kTry, kAwait, kAwaitUseful, kExchangeUseful, kReplaceUseful, kWait, kNotifyOne, kNotifyAll, kReplace, kChoose, kLockShared, kTryShared, kTake, kTryTake, kPost, kMeet, kLockRobust, kTryRobust };
  Kind kind = Kind::kLoad;
  int object = 0;  // which atomic, mutex (a read-write lock, too) or condition variable
  Value value = 0;  // of a robust mutex: what the unlock leaves
  MemoryOrder order = MemoryOrder::kRelaxed;
  int place = 0;   // of kAwaitUseful and kExchangeUseful; of kReplace: the value expected, 3 more if it is weak
  int guard = -1;  // not negative: only if the last value loaded is this
  std::vector<SyncStep> body{};  // of lock and try, also shared
};

struct SyncRecipe {
  int atomics = 1, mutexes = 1, conditions = 1;
  Value tokens = 0;        // of the semaphore, at first
  Value meeting = 2;       // how many threads the barrier is for
  bool is_forked = false;  // the first thread creates the others, and joins them in the end
  int twins = 1;           // so many threads run the last body: symmetric threads
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
  int percent_shared = 0;     // of the lock and try blocks: for reading
  int percent_semaphore = 0;  // of the accesses: take, try to take, post
  int percent_barrier = 0;    // likewise
  int percent_replace = 0;  // of the accesses: compare-exchanges
  int percent_choose = 0;   // likewise
  bool is_robust = false;   // all mutexes are
  int max_twins = 1;        // more than 1: all recipes are forked, and have symmetric threads
};

/// What is useless at the places of recipes: at place p the values v with bit v of p set.
const model::UselessValues& useless_values();

/// The first of the symmetric threads; they are the last of all.
inline ThreadId first_twin(const SyncRecipe& recipe) { return ThreadId{static_cast<std::int32_t>(recipe.threads.size()) - 1}; }
/// The location of the first condition variable; the others follow, and nothing else.
inline LocationId first_condition(const SyncRecipe& recipe) { return LocationId{recipe.atomics + recipe.mutexes + 2}; }

SyncRecipe random_sync_recipe(base::Rng& rng, const SyncFlavour& flavour);
void add_threads(const SyncRecipe& recipe, ScriptedProgram& program);
std::string text_of(const SyncRecipe& recipe);
/// All recipes that are this one with a step taken out.
std::vector<SyncRecipe> smaller(const SyncRecipe& recipe);

}  // namespace ordeal::tests
