// The program under test, seen from the engine: it executes, and never decides.
//
// A thread runs until its next operation, waits for the result, and goes on. All that a thread does must be a function of
// the results it got: nothing may depend on the interleaving. Threads are numbered by the program; a thread that is
// created at run time keeps its number in all executions (parent, n-th child).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/operation.h"
#include "engine/stopped_turn.h"

namespace ordeal::engine {

/// Results that are known already, while an execution is run again. A program may ask when a thread has come to an operation:
/// then it goes on at once, which is faster than to stop there and wait for `resume`.
class KnownResults {
 public:
  /// Whether this operation is the next one in the execution; its result goes to `result`, as if by `resume`.
  virtual bool next_is(ThreadId thread, const Operation& operation, Result& result) = 0;

 protected:
  ~KnownResults() = default;
};

class Program {
 public:
  virtual ~Program() = default;

  /// Back to the start: an execution begins.
  virtual void begin() = 0;
  /// Threads that exist from the start: 0 … initial_threads() - 1.
  virtual int initial_threads() const = 0;
  /// The value that `location` holds before anything is written. Locations are numbered from 0 as they come up.
  virtual Value initial_value(LocationId location) const = 0;
  virtual int locations() const = 0;

  /// What `thread` wants to do. The same answer until `resume`.
  virtual const Operation& next(ThreadId thread) = 0;
  /// Gives the operation of `thread` its result, and lets it run on to its next one.
  virtual void resume(ThreadId thread, const Result& result) = 0;

  /// Milestones of the execution under way, numbered from 0: the whole program is kept as it stands, its threads at operations.
  /// Those from `milestone` on are lost. False: it is not possible. REQUIRES: milestone <= milestones().
  virtual bool keep(int /*milestone*/) { return false; }
  /// How many there are. `begin` forgets them all.
  virtual int milestones() const { return 0; }
  /// What it takes to keep it as it stands, beyond what it always takes, in operations.
  virtual std::int64_t extra_cost_of_keeping() const { return 0; }
  /// Back to one, as often as one likes; later ones are lost. REQUIRES: milestone < milestones().
  virtual void go_back(int /*milestone*/) {}

  /// Of a thread that was stopped in a loop: what is known of its turn. nullptr: nothing. It may be gone once a thread goes on; its reads stay until the search ends.
  virtual const StoppedTurn* stopped_turn(ThreadId /*thread*/) { return nullptr; }
  /// Of a thread that was stopped in a loop: whether it has accessed memory plainly behind its last event that others may access, too. Such an access may be in a race with what they do only later, and depends
  /// on what that event has read.
  virtual bool has_accessed_behind_its_last_event(ThreadId /*thread*/) { return false; }

  /// Results to ask for, until nullptr is given.
  virtual void set_known_results(KnownResults* /*results*/) {}

  /// The process has ended in this execution: threads that still wait do not matter.
  virtual bool has_exited() const { return false; }

  /// A program that can put one thread back on its own offers checkpoints of this many bytes; 0: it is run again from
  /// the start instead. REQUIRES of a program with checkpoints: all its threads exist from the start.
  virtual std::size_t checkpoint_size() const { return 0; }
  virtual void save(ThreadId /*thread*/, std::byte* /*into*/) {}
  virtual void restore(ThreadId /*thread*/, const std::byte* /*from*/) {}
};

}  // namespace ordeal::engine
