// Modification order as constraints: which writes of a location are forced before which others.
//
// It is never enumerated (cpp20, rc11). Writes of a location are partially ordered by what coherence forces; a class is
// consistent (as far as coherence and atomicity go) iff that relation is acyclic, and then any linear extension will do.
//
// A write and the RMWs that build on it form a *chain* without gaps: a constraint on one member from outside is a
// constraint on all. So only the head of a chain has a row. `row(head, kMo)[t]` counts the writes of thread t to the
// location that are members of the chain or forced before it: writes of one thread to one location are ordered by hb, so
// a count says it all. Rows are kept transitively closed; a new constraint is one join and one pass over the location's
// heads. The chain of the initial write is before every other; no row says so for the initial write itself, but its RMWs
// are counted in every row.
//
// After CDSChecker, section 5 (constraints), with C11Tester's clocks (section 4) in place of a graph search.
#pragma once

#include "model/execution_graph.h"

namespace ordeal::model {

/// Whether `a` is forced before `b` (not equal). REQUIRES: writes to one location, in the graph.
inline bool forced_before(const ExecutionGraph& graph, Slot a, Slot b) {
  const Event& first = graph.event(a);
  const Event& second = graph.event(b);
  if (first.chain_head == second.chain_head) return first.chain_position < second.chain_position;
  if (is_initial(first.chain_head)) return true;
  if (is_initial(second.chain_head)) return false;
  return first.ordinal < graph.row(second.chain_head, Row::kMo)[number(first.thread)];
}

/// Whether all other writes of the location are members of the chain or forced before it.
inline bool is_last_chain(const ExecutionGraph& graph, Slot head) {
  return base::sum(graph.row(head, Row::kMo), graph.width()) == graph.writes_at(graph.event(head).location);
}

/// Adds the constraint `a` before-or-equal `b`. False, and nothing changed, if that closes a cycle.
bool force_before(ExecutionGraph& graph, Slot a, Slot b);

/// Gives the write just pushed at `slot` its row: after everything in `predecessors` (writes), before nothing.
void start_chain(ExecutionGraph& graph, Slot slot, const Slot* predecessors, int count);

/// Puts the RMW write just pushed at `slot` directly behind what its read reads. REQUIRES: that is the tail of its chain.
void extend_chain(ExecutionGraph& graph, Slot slot);

/// Calls `visit(head)` for each chain head of the location but the initial write; only for those that came after `first`, and
/// `first`, if that is given.
template <class Visit>
void for_each_chain(const ExecutionGraph& graph, LocationId location, Visit&& visit, Slot first = kNone) {
  Slot at = graph.last_write(location);
  for (int left = graph.chains_at(location); left > 0 && number(at) >= number(first); at = graph.event(at).previous_at_location) {
    if (graph.event(at).chain_head != at) continue;
    visit(at);
    --left;
  }
}

/// The same for all chains that may be `head` or behind it, and perhaps some others.
template <class Visit>
void for_each_chain_behind(const ExecutionGraph& graph, Slot head, Visit&& visit) {
  for_each_chain(graph, graph.event(head).location, visit, graph.event(head).is_behind_all ? head : kNone);
}

}  // namespace ordeal::model
