// Traces of random graphs.
#pragma once

#include "base/rng.h"
#include "tests/support/random_graph.h"
#include "trace/trace.h"

namespace ordeal::analysis::testing {

trace::Trace trace_of(model::ExecutionGraph& graph, model::Model model);

/// A finished execution has no read-modify-write without its write.
void finish_rmws(model::testing::RandomGraph& random);

/// Lets a read have another source, any write of its location; with the value that is there. False: there is no read.
bool change_a_source(trace::Trace& trace, base::Rng& rng);

/// Whether no event happens before one in a lower slot.
bool happens_in_order(const model::ExecutionGraph& graph);

/// Whether the threads, taking turns on one memory, can do this: by trying all turns.
bool has_interleaving(const trace::Trace& trace);

}  // namespace ordeal::analysis::testing
