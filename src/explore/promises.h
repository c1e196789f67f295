// Graphs with promises (load_buffering.h): a read may be there before the write that it reads. Then clocks and constraints are
// computed anew with each change.
#pragma once

#include "model/consistency.h"

namespace ordeal::explore {

/// A read whose write has not come yet.
inline bool is_open_promise(const model::Event& event) {
  return event.kind == model::EventKind::kRead && event.rf == model::kNone;
}
/// The read of a value that `promiser` is to write.
model::Event make_promised_read(const model::ExecutionGraph& graph, const model::Access& access, model::ThreadId promiser, model::Value value,
                                bool fails_spuriously);
/// The write on top keeps the promise made to the read.
void keep_promise(model::ExecutionGraph& graph, model::Slot read);
/// Pushes the event and checks the axioms but thin air on what is known so far. (Adding events takes nothing back, so a
/// graph that breaks one is given up.) As long as no promise was made, the incremental check will do.
bool push_among_promises(model::Consistency& consistency, model::ExecutionGraph& graph, const model::Event& event);
/// The axioms but thin air on the whole graph.
bool recheck_all(model::Consistency& consistency, model::ExecutionGraph& graph);

}  // namespace ordeal::explore
