// Happens-before, [intro.races]: the transitive closure of sequenced-before and synchronises-with.
//
// It depends on po and rf only, so the clocks of an event are final once it is pushed. With C++20's release sequences,
// a read that acquires learns `kRelease` of the write it reads:
//
//   release(w) = hb(w)                        if w releases                          [atomics.order]p2
//              ∪ hb(last release fence po w)  if there is one                        [atomics.fences]p2, p4
//              ∪ release(what w's read reads) if w is the write of an RMW            [intro.races]p5
//
// An acquire fence learns what the atomic reads before it would have learned         [atomics.fences]p3.
// Plain accesses take no part: fences synchronise through atomic operations only.
// A join learns of one event more than its thread has: the end of the thread, which is po-behind them all.
#pragma once

#include "model/execution_graph.h"

namespace ordeal::model {

/// Fills kHb, kPorf and, for a write, kRelease of the event that was just linked in at `slot`.
void compute_happens_before(ExecutionGraph& graph, Slot slot);

}  // namespace ordeal::model
