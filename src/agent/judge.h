// The judge looks at each finished execution: a bug that a thread ran into, a deadlock, no progress, or nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/lost_notification.h"
#include "agent/observer_plugin.h"
#include "agent/options.h"
#include "agent/sc_watch.h"
#include "agent/smaller.h"
#include "engine/observer.h"
#include "explore/passes.h"
#include "runtime/native_program.h"
#include "trace/run_result.h"

namespace ordeal::agent {

class Judge final : public engine::Observer {
 public:
  Judge(runtime::NativeProgram& program, const Options& options, trace::RunResult& result, explore::Passes& passes)
      : program_(program), options_(options), result_(result), passes_(passes), consistency_(options.model) {}

  bool finished(const engine::Execution& execution) override;
  /// What was judged does not count: the search begins anew.
  void forget();
  /// Executions in which the process has ended and a detached thread would have waited for ever: they count as complete.
  std::uint64_t ended_waiting() const { return ended_waiting_; }
  void begin_round();
  /// Before its first round: what was shown, counted and seen by the observer in the first pass stays. If it starts again, so does all that.
  void begin_second_pass() { begins_second_pass_ = true; }
  /// How long it took to run the first execution that is no interleaving again, to be shown: no part of the search.
  double seconds_showing() const { return seconds_showing_; }
  /// What looks at executions without a bug, if it is loaded.
  ObserverPlugin& observer() { return observer_; }
  /// Called with the execution of the first bug: whether the search goes on, for a smaller one. `smaller` is on then.
  using Found = bool (*)(void* data, const model::ExecutionGraph& graph);
  void when_found(Smaller& smaller, Found found, void* data) { smaller_ = &smaller, found_ = found, found_data_ = data; }

 private:
  struct Waiting {
    int thread;
    engine::Operation operation;
    LostNotification::Fate fate = LostNotification::Fate::kGoesOn;  // of one that waits for a notification
  };
  /// What Ordeal itself says of an execution.
  bool judge(const engine::Execution& execution);
  /// What the user's observer says.
  bool ask_observer(const engine::Execution& execution);
  /// Keeps a complete execution for `--show`.
  void show(const engine::Execution& execution);
  void forget_shown();
  /// With `--leaks`, at the end of the program.
  bool judge_leaks(const engine::Execution& execution);
  /// With `--sc-analysis` and `--require-sc`, of a complete execution without a bug.
  bool judge_sc(const engine::Execution& execution);
  bool judge_blocked(const engine::Execution& execution);
  bool judge_exited(const engine::Execution& execution);
  bool judge_locks_left(const engine::Execution& execution);
  bool is_background(const Waiting& thread, const model::ExecutionGraph& graph);
  /// Whether those who wait do so for ever; fills in their fates.
  bool wait_all_for_ever(const engine::Execution& execution, std::vector<Waiting>& waiting);
  runtime::Failure waiting_failure(const engine::Execution& execution, const std::vector<Waiting>& waiting);
  LostNotification::Fate fate_of(const Waiting& thread, const model::ExecutionGraph& graph);
  bool waits_for_dead_holder(const Waiting& thread);
  void add_side(runtime::Failure& failure, const Waiting& thread, const model::ExecutionGraph& graph);
  std::vector<Waiting> waiting_threads(const engine::Execution& execution);
  /// True: the search goes on.
  bool report(const engine::Execution& execution, const runtime::Failure& failure);
  bool is_known(const runtime::Failure& failure);
  /// The bug, seen again with stacks; none: it did not come again.
  std::optional<trace::Bug> recorded(const engine::Execution& execution, const runtime::Failure& failure);
  /// The search has its bug: is this the same, and smaller?
  void consider(const engine::Execution& execution, const runtime::Failure& failure);
  /// Runs the execution again, this time with stacks: of all accesses, or, where there is no bug, of its events only.
  enum class Stacks { kOfAll, kOfEvents };
  void record(const engine::Execution& execution, Stacks stacks = Stacks::kOfAll);
  /// Of an execution without a bug.
  trace::Trace recorded_trace(const engine::Execution& execution);
  trace::Bug make_bug(const engine::Execution& execution, const runtime::Failure& failure);

  runtime::NativeProgram& program_;
  const Options& options_;
  trace::RunResult& result_;
  explore::Passes& passes_;
  bool is_repeated_ = false;  // the execution that is judged was shown and counted in the first pass
  model::Consistency consistency_;
  struct Known {
    trace::BugKind kind;
    std::vector<std::uint32_t> sites;
    std::size_t bug;
  };
  std::vector<Known> known_;
  ScWatch sc_watch_;
  bool begins_second_pass_ = false, goes_on_from_first_ = false;  // in this round
  double seconds_showing_ = 0;
  std::uint64_t ended_waiting_ = 0;
  std::uint64_t reports_ = 0;  // of bugs, known or not
  ObserverPlugin observer_;
  Smaller* smaller_ = nullptr;
  Found found_ = nullptr;
  void* found_data_ = nullptr;
};

}  // namespace ordeal::agent
