// Dead ends, further: a stopped thread that has read an old value in its turn, and in all that comes up will have read it.
//
//     x = tail.load();  e = cells[x].load();  tail.compare_exchange(x, x + 1)      the last fails in vain: another thread has taken the place
//
// Let thread T be stopped after its last event (dead_ends.h), with x one of the reads of its turn, and e_1 … e_k those after it. T goes on only if x changes, or some e_i does, and
// then T goes another way. The execution is given up if neither happens in anything that comes up from here on:
//
//   1. *x stays.* There is a write g that is greater than what x reads and later in modification order in any case, x would only read, having read g, and g stays (2). Then x is never canonical, by the proof of
//      dead_ends.h: g is in P. So no revisit changes or deletes x; and nothing depends on it while T makes no write.
//   2. *What stays while x does* is called *settled*: (a) Events with a lower stamp than x: a revisit that deletes one of them, or changes it, deletes x. (b) Each *revisitor* w', a write that has revisited a read,
//      and all that it depends on. For a later revisit by w of a read r either has w' in the prefix of w, and then w is a revisitor with w' in its prefix; or r is later than w' (Revisit::window), which then stays.
//      (Not with locks, which displace without becoming revisitors.) And until e_i changes: (c) events with a lower stamp than e_i, if there is no read r between x and e_i, in stamps,
//      but T's own and those of (b). What is settled is never revisited.
//   3. *The e_i lead nowhere.* So the first change of T's turn is that a write w revisits some e_i, while x and e_1 … e_{i−1} stay as they are; and w is not settled. For each value that was ever seen there the program
//      has tried out whether T is stopped again then, whatever it reads after that (StoppedTurn). The others, the *useful* ones, do not come: of each write that was seen to write one it is known what the last RMW of its
//      thread up to it had read (SeenWrites). Such a write comes up again if that RMW is settled, and the thread has not come as far as the write; or if another RMW may read the same value v there. That is not so if each
//      settled write of v is read by a settled RMW, and no other write of v comes up, for the same reasons: of all those that are asked about the first to come up would have none. (A write without an RMW before it is known
//      by its thread and its index.)
//      An e_i that waited for a useful value is never canonical (revisit.cpp), so it never changes.
//
// *No bug is lost.* Others do not depend on T's turn. In an execution B with a bug let T read g at x instead, and go on in some way: as in dead_ends.h. T's accesses after x are atomic reads of objects that nobody frees
// or writes plainly, and plain ones to its own stack, which nobody else accesses (StoppedTurns, OwnStacks): they are in no race. T waits forever, or goes round forever, only if x has read the last value: then there is no g.
//
// *What SeenWrites knows is refuted if it is wrong.* Let S be all writes that contradict it, in executions without this file, and that depend on no other such write; b is one of them. Let b and what it depends on be there; run all threads
// without reading any of S, always reading the last other write in modification order, to where each has ended, has to read one of S, or is stopped; those that were stopped read the last writes again. Then let them read these, too, until all have ended or are
// stopped. On the way of the search to that execution E, before it comes to b or a write like it, nothing is given up: suppose, T and x were. x and T's reading the old value stay up to E (1 and 2 do not
// need what was seen). If T is stopped in E, before one of S was read, x has read the last write: there is no g. If T went on with values that were seen, 3 was wrong. If it went on with one of S, or one that depends on such a write, its turn was made after all writes
// that do not depend on S; x reads the last of these, and g depends on one of S: but that was not there.
//
// Cost: some looks at all events, for each thread that is stopped.
#pragma once

#include <vector>

#include "engine/stopped_turn.h"
#include "model/execution_graph.h"
#include "model/seen_writes.h"

namespace ordeal::explore {

class StaleTurns {
 public:
  /// Writes are noted there by whoever makes them. nullptr: nothing is given up.
  void set_seen_writes(model::SeenWrites* seen) { seen_ = seen; }
  model::SeenWrites* seen_writes() { return seen_; }
  /// Whether the thread of the graph's last event stays where it is. REQUIRES: it was stopped after that with this turn; modification order is not explicit, no thread symmetric.
  bool has_come_to_one(const model::ExecutionGraph& graph, const engine::StoppedTurn& turn);

 private:
  bool stays(const model::ExecutionGraph& graph, model::Slot read);
  bool may_change(const model::ExecutionGraph& graph, model::Slot read, const engine::StoppedTurn::Read& known);
  bool may_come(const model::ExecutionGraph& graph, const model::SeenWrites::Taken& what, model::Slot read);
  static bool may_follow(const model::ExecutionGraph& graph, const model::SeenWrites::By& write, model::Slot last);
  bool may_be_taken(const model::ExecutionGraph& graph, const model::SeenWrites::Taken& what, model::Slot read);

  model::SeenWrites* seen_ = nullptr;
  std::vector<model::SeenWrites::Taken> asked_;  // may_come
};

}  // namespace ordeal::explore
