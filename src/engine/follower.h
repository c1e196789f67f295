// Keeps the program where the graph is.
//
// The decider changes the graph: it takes events away, changes what a read reads, goes to another graph. The program's
// threads must then stand behind their last event in the graph. A program with checkpoints is put back thread by thread,
// and only when a thread is looked at; one without is run again along the graph, from its start or from a milestone (milestones.h). It must
// then ask for the same operations as before: if it does not, NotDeterministic is thrown.
#pragma once

#include <vector>

#include "engine/milestones.h"
#include "engine/program.h"
#include "model/execution_graph.h"

namespace ordeal::engine {

class Follower final : KnownResults {
 public:
  explicit Follower(Program& program) : program_(program) {}

  /// Declares the program's threads and locations in `graph`, which is empty, and prepares its payloads.
  void declare(model::ExecutionGraph& graph);
  /// The graph is another one, or changed other than by `completed`.
  void lose_track(model::ExecutionGraph& graph);
  /// Runs a finished execution again, if the program has no checkpoints: all threads must come to where they stand now.
  void repeat(model::ExecutionGraph& graph);

  /// Executions will come back to where the program stands, behind `events` events: it may be kept.
  void may_come_back(model::ExecutionGraph& graph, int events, int times);

  /// What `thread` wants to do next.
  const Operation& next(model::ExecutionGraph& graph, ThreadId thread);
  /// The operation of `thread` is in the graph and `last` is its last event: the thread gets its result and runs on.
  void completed(model::ExecutionGraph& graph, ThreadId thread, model::Slot last, bool next_is_known = false);

  bool has_started(const model::ExecutionGraph& graph, ThreadId thread) const;
  /// Whether it has started and has nothing left to do.
  bool has_ended(model::ExecutionGraph& graph, ThreadId thread);
  bool program_has_exited() const { return program_.has_exited(); }
  /// See Program. REQUIRES: the thread was stopped, and nothing has been asked about another one since.
  const StoppedTurn* stopped_turn(ThreadId thread) { return program_.stopped_turn(thread); }
  bool has_accessed_behind_its_last_event(ThreadId thread) { return program_.has_accessed_behind_its_last_event(thread); }
  /// Locations and threads that `operation` names for the first time are declared.
  void declare_new(model::ExecutionGraph& graph, const Operation& operation);

 private:
  void run_again(model::ExecutionGraph& graph);
  void run_again_from_start(model::ExecutionGraph& graph);
  void follow(model::ExecutionGraph& graph);
  void keep_milestone(model::ExecutionGraph& graph);
  bool next_is(ThreadId thread, const Operation& operation, Result& result) override;
  void note_where_it_stands(model::ExecutionGraph& graph, ThreadId thread);
  bool has_same_initial(const model::ExecutionGraph& graph, const model::Event& event) const;
  void require_same(const model::ExecutionGraph& graph, const model::Event& event, const Operation& operation) const;
  void bring_up_to_date(model::ExecutionGraph& graph, ThreadId thread);

  Program& program_;
  std::vector<char> is_current_;     // thread → stands where the graph says
  std::vector<std::byte> initial_;   // checkpoints of the initial states
  std::vector<model::Slot> behind_;  // scratch
  model::ExecutionGraph* again_ = nullptr;  // while it is run again
  int next_slot_ = 0;                       // … from here on
  Milestones milestones_;
  int milestone_slot_ = 0;                  // where the program is to be kept; 0: nowhere
  model::Slot latest_ = model::kNone;       // the last event of the thread that runs
};

}  // namespace ordeal::engine
