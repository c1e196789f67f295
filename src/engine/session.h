// THE main loop: a program executes, a decider decides, observers judge.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "engine/contested.h"
#include "engine/decider.h"
#include "engine/follower.h"
#include "engine/observer.h"
#include "engine/program.h"

namespace ordeal::engine {

struct Counts {
  std::uint64_t complete = 0;
  std::uint64_t blocked = 0;
  std::uint64_t given_up = 0;  // executions that led nowhere, for measuring
  bool bound_was_hit = false;  // then nothing is "verified"
  bool stopped = false;        // by an observer, or by stop_when
};

class Session {
 public:
  Session(Program& program, Decider& decider) : follower_(program), decider_(decider) {}
  void add(Observer& observer) { observers_.push_back(&observer); }

  /// Runs executions until the decider has no more or an observer stops. Throws NotDeterministic (not_deterministic.h).
  const Counts& run();
  const Counts& counts() const { return counts_; }
  /// The first execution is run twice: most programs that are not deterministic show it there.
  void set_repeating(bool on) { repeats_ = on; }
  /// Begins with another thread than the second, so much further, where there are more than `few` threads. The set of classes is the same.
  void rotate(int by, int few = 0) { rotation_ = by, few_threads_ = few; }
  /// Any thread may be asked first, and another one before each step: always in some executions, seldom in others.
  void shuffle(std::uint64_t seed) { rng_.emplace(seed); }
  /// Threads at these locations wait for the others. REQUIRES: they stay the same while it runs.
  void postpone(const Contested& locations) { contested_ = &locations; }
  /// Asked before each execution: true ends the session, with work left.
  void stop_when(bool (*condition)(void*), void* data) { stop_ = condition, stop_data_ = data; }
  /// Looked at before each step: true ends the session in the middle of an execution, which counts as given up.
  void stop_at_once_when(const volatile bool& flag) { at_once_ = &flag; }

 private:
  bool run_execution();
  bool can_end();
  ThreadId next_thread();
  ThreadId in_order(const model::ExecutionGraph& graph, int i) const;
  bool can_go_on(model::ExecutionGraph& graph, ThreadId thread);
  bool goes_on(model::ExecutionGraph& graph, ThreadId thread);
  bool step(ThreadId thread);
  bool is_dead_end();
  std::span<const Operation> waiting();
  void finish();

  Follower follower_;
  Decider& decider_;
  std::vector<Observer*> observers_;
  Counts counts_;
  std::vector<Operation> waiting_;
  bool repeats_ = false;
  int rotation_ = 0, few_threads_ = 0;
  std::optional<base::Rng> rng_;
  int first_asked_ = 0, changes_ = 100;  // if there is one: the thread, and how often another one is, in per cent
  ThreadId latest_ = model::kNoThread;  // that made the last step, if all before it …
  bool only_ends_matter_ = false;       // … have ended, or wait for the end of others
  bool someone_waits_ = false;  // was refused in the last round
  bool is_at_await_ = false;       // the thread asked about last waits for a value
  bool is_contending_ = false;     // … or is at a contested location
  const Contested* contested_ = nullptr;
  bool is_redundant_ = false;      // the execution: a thread stands where another one comes to the same
  bool others_may_go_on_ = false;  // besides the thread chosen, which is at an await
  bool (*stop_)(void*) = nullptr;
  void* stop_data_ = nullptr;
  const volatile bool* at_once_ = &kNever;
  static constexpr bool kNever = false;
};

}  // namespace ordeal::engine
