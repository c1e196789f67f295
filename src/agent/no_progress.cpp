#include "agent/no_progress.h"

#include "model/modification_order.h"

namespace ordeal::agent {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::Slot;

namespace {

/// Explicit modification order: it is there to be looked at.
bool is_last_in_order(const ExecutionGraph& graph, const Event& source) {
  for (Slot at = graph.last_write(source.location); at != kNone; at = graph.event(at).previous_at_location) {
    const Event& write = graph.event(at);
    if (write.mo_position > source.mo_position && !(write.is_rmw && write.value == source.value)) return false;
  }
  return true;
}

/// Puts all other writes of the location before `source`, as far as they are not in its chain.
bool make_last(ExecutionGraph& graph, Slot slot) {
  const Event source = graph.event(slot);
  for (Slot at = graph.last_write(source.location); at != kNone; at = graph.event(at).previous_at_location) {
    const Event& write = graph.event(at);
    if (write.chain_head != source.chain_head) {
      if (is_initial(source.chain_head) || !model::force_before(graph, at, slot)) return false;
    } else if (write.chain_position > source.chain_position && write.value != source.value) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool wait_for_ever(model::Consistency& consistency, const ExecutionGraph& graph, const std::vector<Spinner>& spinners) {
  ExecutionGraph copy;
  copy.copy_prefix(graph, graph.size());
  for (const Spinner& spinner : spinners)
    for (Slot at = copy.last_of(spinner.thread); at != kNone && copy.event(at).index >= spinner.first_event; at = copy.event(at).previous) {
      const Event& event = copy.event(at);
      if (event.kind != EventKind::kRead) continue;
      if (event.failed_spuriously) return false;
      const bool is_last = consistency.mo_is_explicit() ? is_last_in_order(copy, copy.event(event.rf)) : make_last(copy, event.rf);
      if (!is_last) return false;
    }
  return consistency.recheck(copy);
}

}  // namespace ordeal::agent
