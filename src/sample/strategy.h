// A strategy decides what random testing leaves open: which thread goes on, which store a load reads, where in modification
// order a store goes, and the like. One strategy a file. It never executes and never asks whether something is allowed: it
// chooses among what is.
//
// All randomness comes from (seed, number of the execution): any execution can be run alone.
//
// include/ordeal/strategy.h is the same for strategies of users (plugin_strategy.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ordeal::sample {

/// What the thread that ran last is about to do.
enum class StepKind : std::uint8_t {
  kLoad,
  kStore,  // relaxed or release: it synchronises with nobody yet
  kRmw,    // and seq_cst stores
  kFence,
  kSync,   // a lock, a join …
  kYield,  // it says, or shows, that it waits for others
  kCreate,  // the creation of a thread
};

struct Step {
  std::span<const int> ready;  // threads that can go on, at least one, in no particular order
  int current = -1;            // place in `ready` of the thread that ran last; -1: it cannot go on
  StepKind kind = StepKind::kSync;
};

/// What else may happen one way or another.
enum class Question : std::uint8_t {
  kFailsSpuriously,  // a weak compare-exchange, or try_lock: 1 is yes
  kTimesOut,         // a wait with a time limit: 1 is yes
  kWakesSpuriously,  // a wait on a condition variable: 1 is yes
  kWhoWakes,         // which of the waiting threads a notification wakes
  kProgramChooses,   // ordeal_choose, and other choices of the program
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual std::string_view name() const = 0;
  /// An execution begins, with one thread, 0.
  virtual void begin(std::uint64_t seed, std::uint64_t execution) = 0;
  virtual void created(int /*thread*/) {}
  /// A place in step.ready.
  virtual int next_thread(const Step& step) = 0;
  /// Which of `count` stores, at least two, a load reads. The last one, or kNewest, is the last in modification order; the others come
  /// by thread.
  static constexpr std::uint32_t kNewest = ~std::uint32_t{0};
  virtual std::uint32_t which_store(int thread, std::uint32_t count) = 0;
  /// Behind which of them a store goes; the last one, or kNewest: behind all.
  virtual std::uint32_t which_place(int thread, std::uint32_t count) = 0;
  virtual std::uint32_t answer(Question question, std::uint32_t alternatives) = 0;
};

/// "random", "pct", "pct3" or "pct:3" (its depth), "portfolio". nullptr: there is none of that name.
std::unique_ptr<Strategy> make_strategy(std::string_view name);

}  // namespace ordeal::sample
