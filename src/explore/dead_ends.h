// Dead ends: a thread was stopped because its turn of a loop was redundant, and no revisit will ever change that.
//
//     c = x.compare_exchange(1, 2)  fails in vain, having read 5; it could have read 7, too, which is greater in the fixed order.
//
// The thread goes on only if a later write w revisits its last read e, or an earlier read, so that e is deleted. Either needs that e is *canonical*
// (revisit.h): of the writes in P, those that came before e or that w depends on, it reads the greatest one that is consistent. Suppose that e is the last event of the graph, and that
//   - g is greater than what e reads, and e would only read, having read g;
//   - g is after what e reads in modification order, in any case: in their chain, or by happens-before;
//   - the thread has made no plain access after e to memory that others may access (Session::is_dead_end; its own stack: runtime/loops/own_stacks.h). It depends on what e reads whether such an access is
//     made, and what it would be in a race with may come only later.
// Then e is never canonical:
//   - g is in P, whatever w is: either it came before e; or the write s that e reads has revisited e, and g is in the prefix of s. (Then w depends on s, or e is not deleted: revisit.h.)
//   - reading g is consistent in P. For the graph that has w and e as it is, is consistent, by some modification order; take the same one. That e reads g moves it on behind what it read, and e
//     is the last of its thread, and nobody depends on it: so coherence holds. Of the edges that seq_cst is about those that leave e become fewer (they lead to writes after g); what now leads to e,
//     from before g, leads to the writes after g anyway.
// So in all that the search comes to from here the thread stands where it is: no execution is complete, and this one is given up.
//
// Bugs in such executions are not lost. Let B be one, and let each thread that was stopped read the greatest write that it can, instead of what its last event reads. Nobody depends on
// that event, so B stays consistent; what was accessed up to that event is accessed as before, and there is nothing behind it, so it has the same races. A thread that is not stopped with that goes on in some way; another one that is stopped then is
// dealt with likewise. In the end no thread is in a dead end; nor was one on the way there, since who is in a dead end stays in it.
//
// That threads wait forever, or go round forever (runtime/loops/given_back.h), is said only if they have read the last value of a location. Who reads the last write is in no dead end,
// since no g is after it.
//
// The same of an earlier read of the turn: stale_turns.h. Only where a thread *stopped*; who waits for another value (waiting.h) is no dead end. Not with explicit modification order and not with symmetric threads, where canonical means more.
// Cost: the writes at one location, when a thread stops.
#pragma once

#include "explore/known_stops.h"
#include "explore/stale_turns.h"
#include "model/consistency.h"

namespace ordeal::explore {

class DeadEnds {
 public:
  explicit DeadEnds(const model::Consistency& consistency) : consistency_(consistency) {}

  /// Whether the thread of the graph's last event is in a dead end. REQUIRES: it was stopped after that, because its turn was in vain. `turn`: what is known of that; nullptr: nothing.
  bool has_come_to_one(const model::ExecutionGraph& graph, const engine::StoppedTurn* turn);
  /// The same, if it is known already that the thread is stopped there; otherwise false.
  bool is_known_to_have(const model::ExecutionGraph& graph);
  StaleTurns& stale_turns() { return stale_turns_; }

 private:
  bool is_dead_end(const model::ExecutionGraph& graph, const engine::StoppedTurn* turn);
  static bool has_last_read_that_stays(const model::ExecutionGraph& graph);

  const model::Consistency& consistency_;
  StaleTurns stale_turns_;
  KnownStops known_stops_;
};

}  // namespace ordeal::explore
