// The decider: at each point where an execution can go on in several ways, it chooses. It never executes.
//
// One strategy a file in src/explore: exhaustive, replay, (later) random, PCT …
#pragma once

#include <span>

#include "engine/operation.h"
#include "engine/stopped_turn.h"
#include "model/execution_graph.h"

namespace ordeal::engine {

class Decider {
 public:
  virtual ~Decider() = default;

  /// The graph of the execution under way. It may be another object after `advance`.
  virtual model::ExecutionGraph& graph() = 0;
  /// Prepares the next execution: the graph becomes the part that is decided already. False: there is none.
  virtual bool advance() = 0;
  /// Adds the events of `operation`, with choices of its own. False: that led nowhere, the execution is given up.
  /// After it, the last event of the thread carries the result; if it is an attempt, the operation still waits.
  virtual bool decide(const Operation& operation) = 0;
  /// The same for an await when nobody else can go on, unless this one does; `waiting` as for can_end.
  virtual bool decide_alone(const Operation& operation, std::span<const Operation> /*waiting*/) { return decide(operation); }

  /// The thread of the last event was stopped after it, because its turn of a loop was in vain. Whether it stands there in all that comes up
  /// from here on, and nothing comes up that would not come up without: then the execution is given up.
  /// `turn`: what is known of it; nullptr: nothing.
  virtual bool is_dead_end(const StoppedTurn* /*turn*/) { return false; }

  /// How many alternatives are left to the operation decided last, before which the graph had `size` events.
  virtual int alternatives_left(int /*size*/) const { return 0; }

  /// Whether a thread that the program lets go on with `operation` may do so now. Refusing it only delays it: it is asked
  /// again before each step. (A lock waits until it is free; replay, for the write that a read is to read.)
  virtual bool can_go_on(const Operation& /*operation*/) { return true; }
  /// Whether the thread is known to go on: it is not to be stopped because it seems to wait. (Replay: it has further choices.)
  virtual bool knows_more_of(ThreadId /*thread*/) { return false; }
  /// No thread can go on; `waiting` are the locks and awaits at which threads stand. False: this is no execution to judge, it
  /// is given up. (Replay: a list that was not used up.)
  virtual bool can_end(std::span<const Operation> /*waiting*/) { return true; }
  /// If it cannot: whether it still counts as a blocked execution, because some thread stands where another execution comes to the same.
  virtual bool ends_redundantly(std::span<const Operation> /*waiting*/) { return false; }
};

}  // namespace ordeal::engine
