#include "agent/no_progress.h"

#include "model/modification_order.h"

namespace ordeal::agent {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::Slot;

namespace {

using Spinners = std::vector<Spinner>;

/// Whether the last iteration of a thread that waits made that write.
bool is_made_in_loop(const Spinners& spinners, const Event& write) {
  for (const Spinner& spinner : spinners)
    if (write.thread == spinner.thread && write.index >= spinner.first_event) return true;
  return false;
}

/// Whether `write` changed a value in a loop: it will be changed back.
bool is_passing(const ExecutionGraph& graph, const Spinners& spinners, Slot write) {
  const Event& event = graph.event(write);
  return !is_initial(write) && is_made_in_loop(spinners, event) && event.is_rmw && event.value != graph.event(event.rf).value;
}

/// Whether another thread that waits writes something else there in its last iteration, before it puts back what was there: then the read would see that some time.
bool is_changed_meanwhile(const ExecutionGraph& graph, const Spinners& spinners, const Event& read) {
  for (Slot at = graph.last_write(read.location); at != kNone; at = graph.event(at).previous_at_location) {
    const Event& write = graph.event(at);
    if (write.thread != read.thread && write.value != read.value && is_made_in_loop(spinners, write)) return true;
  }
  return false;
}

/// The last write to a mutex.
Slot state_of(const ExecutionGraph& graph, model::LocationId mutex) {
  return graph.event(model::initial_write(mutex)).chain_tail;
}

/// Explicit modification order: it is there to be looked at.
bool is_last_in_order(const ExecutionGraph& graph, const Spinners& spinners, const Event& source) {
  for (Slot at = graph.last_write(source.location); at != kNone; at = graph.event(at).previous_at_location) {
    const Event& write = graph.event(at);
    if (write.mo_position > source.mo_position && !(write.is_rmw && write.value == source.value) && !is_made_in_loop(spinners, write))
      return false;
  }
  return true;
}

/// Puts all other writes of the location before `source`, as far as they are not in its chain.
bool make_last(ExecutionGraph& graph, const Spinners& spinners, Slot slot) {
  const Event source = graph.event(slot);
  for (Slot at = graph.last_write(source.location); at != kNone; at = graph.event(at).previous_at_location) {
    const Event& write = graph.event(at);
    if (is_made_in_loop(spinners, write)) continue;
    if (write.chain_head != source.chain_head) {
      if (is_initial(source.chain_head) || !model::force_before(graph, at, slot)) return false;
    } else if (write.chain_position > source.chain_position && write.value != source.value) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool wait_for_ever(model::Consistency& consistency, const ExecutionGraph& graph, const Spinners& spinners,
                   const std::vector<model::LocationId>& locks) {
  for (const model::LocationId mutex : locks)
    if (is_passing(graph, spinners, state_of(graph, mutex))) return false;
  ExecutionGraph copy;
  copy.copy_prefix(graph, graph.size());
  for (const Spinner& spinner : spinners)
    for (Slot at = copy.last_of(spinner.thread); at != kNone && copy.event(at).index >= spinner.first_event; at = copy.event(at).previous) {
      const Event& event = copy.event(at);
      if (event.kind == EventKind::kChoice && event.access.operand == static_cast<model::Value>(model::ChoiceOf::kProgram)) return false;  // the program could choose otherwise
      if (event.kind != EventKind::kRead) continue;
      if (event.failed_spuriously) return false;
      const bool is_own = !is_initial(event.rf) && copy.event(event.rf).thread == event.thread;  // it will see that again in each turn
      if (!event.is_rmw && ((!is_own && is_passing(copy, spinners, event.rf)) || is_changed_meanwhile(copy, spinners, event))) return false;
      const bool is_last = consistency.mo_is_explicit() ? is_last_in_order(copy, spinners, copy.event(event.rf))
                                                        : make_last(copy, spinners, event.rf);
      if (!is_last) return false;
    }
  return consistency.recheck(copy);
}

}  // namespace ordeal::agent
