// How hard an execution is to read: how many reads return an older value, how often another thread goes on, how many events there are.
//
// An order of the events is made, thread by thread: the thread that goes on is kept for as long as it can. A read goes when what it reads
// is the last store in that order; a store when all have read that are still to read the one before it. Where nothing can go, a read
// of an older value goes, and is counted, or else a store. If nothing is counted the execution is an interleaving; the other way round
// the number may be too high, since nothing is taken back. It serves to compare executions: what the rows show
// (simplify.h) has fewer such reads, but that is a search, and a report that hangs on how far it came would not be the same each time.
// O(events · threads).
#pragma once

#include <compare>

#include "model/execution_graph.h"

namespace ordeal::analysis {

struct Cost {
  int weak_reads = 0;
  int switches = 0;
  int events = 0;
  auto operator<=>(const Cost&) const = default;
};

/// REQUIRES: slots respect po and rf, but for reads with load buffering, which count as weak.
Cost cost_of(const model::ExecutionGraph& graph);

}  // namespace ordeal::analysis
