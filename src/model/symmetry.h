// Symmetric threads: of executions that differ only in which of them does what, one is enough.
//
// Threads of one *group* run the same code from the same start: their creations stand next to each other and name the
// group (Access::operand of a kCreate). Two of them *share* their first k events if these are alike one by one: the same
// operation on the same location, the same source (the very same write, or each its own event of the same place), the same
// choice. Then they are in the same state, and which of them goes on first does not matter: let it be the lower one.
//
//   symm:  e(t′,k) → e(t,k)   for t′ < t of one group that share their first k events (those at k may differ)
//
// Of every execution some renumbering of the threads has po ∪ rf ∪ symm acyclic: number them, where their ways part, by who
// goes first. So the search looks only for such graphs, closed under these edges. For this
//   - the rows kPorf follow symm as well (happens_before.cpp), so a write revisits nothing that it is behind in this sense;
//   - a thread does not go on while it `is_held`: one below it shares all its events, and has not gone on.
// An RMW counts as one: the edge comes from its write. Attempts are no events here. docs/adr/0013 has the proof.
//
// Example: N threads that increment x once. T1 reads 0; T2 is behind that, so it cannot displace it and reads 1, and so on:
// one class instead of N!.
//
// Cost: a look at the threads of the group for each event of one of them; nothing where there are no groups.
#pragma once

#include "model/execution_graph.h"

namespace ordeal::model {

/// How a creation names the group of its thread: by the first thread of the group. 0: none.
constexpr Value group_named_by(ThreadId first) { return Value{number(first)} + 1; }

/// The last thread below `thread` in its group with the same first events, as many as it has (attempts do not count).
/// kNoThread: none.
ThreadId nearest_twin(const ExecutionGraph& graph, ThreadId thread);

/// Whether `thread` must wait for a twin, which can do what it can, to go on first.
bool is_held(const ExecutionGraph& graph, ThreadId thread);

/// What the next event of `thread` is behind by symm: the twin's next operation, its last event. kNone: nothing.
Slot behind_by_symmetry(const ExecutionGraph& graph, ThreadId thread);

/// The event was just linked in at `slot`: symm enters its row kPorf, and it learns with whom its thread shares it.
void enter_symmetry(ExecutionGraph& graph, Slot slot);

}  // namespace ordeal::model
