#include "explore/promises.h"

#include "model/from_scratch.h"

namespace ordeal::explore {

using model::Consistency;
using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::Slot;

namespace {

bool has_promises(const ExecutionGraph& graph) {
  for (int i = 0; i < graph.size(); ++i)
    if (graph.event(Slot{i}).promised_by != model::kNoThread) return true;
  return false;
}

}  // namespace

Event make_promised_read(const ExecutionGraph& graph, const model::Access& access, model::ThreadId promiser, model::Value value,
                         bool fails_spuriously) {
  // Made as if from the initial write, then given the promised value.
  Event event = Consistency::make_read(graph, access, model::initial_write(access.location), fails_spuriously ? 1 : 0);
  event.rf = model::kNone;
  event.promised_by = promiser;
  event.value = value;
  event.is_rmw = !fails_spuriously && model::writes_after_reading(access, value);
  const bool failed = access.function == model::RmwFunction::kCompareExchange && !event.is_rmw;
  event.order = failed ? access.failure_order : access.order;
  return event;
}

void keep_promise(ExecutionGraph& graph, Slot read) {
  const Slot write = graph.last();
  graph.event(read).rf = write;
  if (graph.event(read).is_rmw) graph.event(Slot{number(read) + 1}).rf = write;  // an RMW's write stands directly behind its read
}

bool push_among_promises(Consistency& consistency, ExecutionGraph& graph, const Event& event) {
  if (event.promised_by == model::kNoThread && !has_promises(graph)) {
    if (event.kind == EventKind::kRead) return consistency.push_read(graph, event);
    if (event.kind == EventKind::kWrite) return consistency.push_write(graph, event);
    graph.push(event);
    return true;
  }
  graph.push(event);
  return recheck_all(consistency, graph);
}

bool recheck_all(Consistency& consistency, ExecutionGraph& graph) {
  return model::recompute_clocks(graph) && model::recompute_modification_order(graph) && consistency.recheck(graph);
}

}  // namespace ordeal::explore
