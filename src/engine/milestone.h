// Where executions begin alike: the events with which the program's first thread sets things up and creates the others. A program
// that can be kept as it stands there (Program::keep) goes back to it, and need not run that part again.
//
// The place is behind the creations, before anything that depends on another thread: the first event of another thread, or a read
// or choice behind the first creation. If a choice changes what comes before, a new milestone is kept; if that happens too often
// to pay, it is left for a while.
#pragma once

#include <vector>

#include "model/execution_graph.h"

namespace ordeal::engine {

class Milestone {
 public:
  /// An execution with this graph is run again from its start: behind how many events the program is to be kept; 0: not at all.
  int place_to_keep(const model::ExecutionGraph& graph);
  /// The program was kept behind these events of the graph.
  void note_kept(const model::ExecutionGraph& graph, int events);
  int events() const { return static_cast<int>(events_.size()); }
  /// Whether `graph` begins with the same events.
  bool is_passed(const model::ExecutionGraph& graph);
  /// It does not work for this program.
  void give_up() { is_given_up_ = true; }

 private:
  struct Seen {
    model::EventKind kind;
    model::Slot rf;
    model::Value value;
    model::Access access;
  };
  static Seen seen(const model::Event& event);
  bool pays();

  std::vector<Seen> events_;
  int uses_ = 0;         // of what was kept last
  int pause_ = 0;        // executions to let pass before the next
  int next_pause_ = 1;
  bool is_given_up_ = false;
};

}  // namespace ordeal::engine
