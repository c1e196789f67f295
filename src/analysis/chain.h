// Where a chain from one place of an execution to another breaks.
//
// What a thread does after `from` reaches `to` if stores and the loads that read them lead there, thread by thread: po ∪ rf. It is
// ordered only if each of these hops synchronises. Of all chains the one with the fewest hops that do not is looked at:
//
//   data = 1                     flag: 1 rlx, from c         the hop is flag; the store does not release,
//   flag = 1 rlx                 reads data                  the load does not acquire
//
// A shortest path where hops that synchronise, and steps of a thread, cost nothing: O(events).
#pragma once

#include <vector>

#include "analysis/edge.h"
#include "analysis/spot.h"

namespace ordeal::analysis {

struct Hop {
  EventIndex write = kNoEvent, read = kNoEvent;
  bool releases = false;  // the store, or a fence before it in the chain
  bool acquires = false;  // the load, or a fence behind it in the chain
};

struct Chain {
  bool exists = false;
  std::vector<Hop> broken;  // the hops that do not synchronise, in order
};

Chain find_chain(const model::ExecutionGraph& graph, const Spot& from, const Spot& to);

/// What `from` released is overwritten by a store that does not continue the release sequence, [intro.races]p5, and that store is what
/// is read before `to`.
struct CutSequence {
  EventIndex release = kNoEvent, store = kNoEvent, read = kNoEvent;
};
/// kNoEvent: there is none. REQUIRES: the graph is consistent, and modification order is not explicit.
CutSequence find_cut_sequence(const model::ExecutionGraph& graph, const Spot& from, const Spot& to);

}  // namespace ordeal::analysis
