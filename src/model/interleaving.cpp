#include "model/interleaving.h"

namespace ordeal::model {
namespace {

bool is_interlocked(const Event& event) {
  switch (event.kind) {
    case EventKind::kRead: return event.access.function != RmwFunction::kNone;  // an RMW, or a compare-exchange that failed
    case EventKind::kWrite: return event.is_rmw || event.order == MemoryOrder::kSeqCst;
    case EventKind::kFence: return event.order == MemoryOrder::kSeqCst;
    case EventKind::kCreate:
    case EventKind::kJoin:
    case EventKind::kWake: return true;
    default: return false;
  }
}
bool is_load(const Event& event) { return event.kind == EventKind::kRead && !is_interlocked(event); }
bool is_store(const Event& event) { return event.kind == EventKind::kWrite && !is_interlocked(event); }
bool takes_part(const Event& event) { return is_access(event) || is_interlocked(event); }

int mo_position(const ExecutionGraph& graph, Slot write) { return number(write) < 0 ? 0 : graph.event(write).mo_position; }
/// Conflict order of two accesses of a location is the order of ranks, except between two reads.
int rank(const ExecutionGraph& graph, const Event& event) {
  return event.kind == EventKind::kWrite ? 2 * event.mo_position : 2 * mo_position(graph, event.rf) + 1;
}

}  // namespace

bool Interleaving::consistent(const ExecutionGraph& graph) {
  if (!atomic(graph)) return false;
  if (rules_ == Rules::kTso && !agrees_with_program_order(graph)) return false;
  edges_.start(graph.size());
  add_program_order(graph);
  add_conflict_order(graph);
  return edges_.is_acyclic();
}

bool Interleaving::atomic(const ExecutionGraph& graph) const {
  for (int i = 0; i < graph.size(); ++i) {
    const Event& event = graph.event(Slot{i});
    if (event.kind == EventKind::kWrite && event.is_rmw && event.mo_position != mo_position(graph, event.rf) + 1) return false;
  }
  return true;
}

bool Interleaving::agrees_with_program_order(const ExecutionGraph& graph) const {
  for (int i = 0; i < graph.size(); ++i) {
    const Event& later = graph.event(Slot{i});
    if (!is_access(later)) continue;
    for (Slot at = later.previous_here; at != kNone; at = graph.event(at).previous_here) {
      const Event& earlier = graph.event(at);
      const bool both_read = earlier.kind == EventKind::kRead && later.kind == EventKind::kRead;
      if (!both_read && rank(graph, later) < rank(graph, earlier)) return false;
    }
  }
  return true;
}

void Interleaving::add_program_order(const ExecutionGraph& graph) {
  for (int i = 0; i < graph.size(); ++i) {
    const Event& event = graph.event(Slot{i});
    add_predecessors(graph, Slot{i}, event.thread, event.previous);
    // A thread's buffer is empty when it has ended: join comes after all that it did.
    if (event.kind == EventKind::kWake) edges_.add(number(event.rf), i);
    if (event.kind == EventKind::kJoin) add_predecessors(graph, Slot{i}, event.access.other, graph.last_of(event.access.other));
  }
}

/// The event at `to` comes after `last`, an event of `thread` or kNone, and what is before it. In tso: after the last load
/// and the last other event there, but a load not after a store. The creation of the thread comes before its events.
void Interleaving::add_predecessors(const ExecutionGraph& graph, Slot to, ThreadId thread, Slot last) {
  const Event& event = graph.event(to);
  const bool is_sc = rules_ == Rules::kSc;
  if (!is_sc && !takes_part(event)) return;
  bool from_load = false, from_other = false;
  for (Slot at = last; at != kNone && !(from_load && from_other); at = graph.event(at).previous) {
    const Event& before = graph.event(at);
    if (!is_sc && (!takes_part(before) || (is_store(before) && is_load(event)))) continue;
    bool& done = is_load(before) ? from_load : from_other;
    if (!done) edges_.add(number(at), number(to));
    if (is_sc) return;
    done = true;
  }
  if (!from_other && graph.creation_of(thread) != kNone) edges_.add(number(graph.creation_of(thread)), number(to));
}

void Interleaving::add_conflict_order(const ExecutionGraph& graph) {
  for (int l = 0; l < graph.locations(); ++l) {
    const LocationId location{l};
    order_.assign(static_cast<std::size_t>(graph.writes_at(location)) + 1, kNone);
    order_[0] = initial_write(location);
    for (Slot at = graph.last_write(location); at != kNone; at = graph.event(at).previous_at_location)
      order_[static_cast<std::size_t>(graph.event(at).mo_position)] = at;
    for (std::size_t i = 2; i < order_.size(); ++i) edges_.add(number(order_[i - 1]), number(order_[i]));
    for (Slot at = graph.last_read(location); at != kNone; at = graph.event(at).previous_at_location)
      add_reads_from(graph, at, order_);
  }
}

void Interleaving::add_reads_from(const ExecutionGraph& graph, Slot read, const std::vector<Slot>& order) {
  const Event& event = graph.event(read);
  const auto position = static_cast<std::size_t>(mo_position(graph, event.rf));
  if (position + 1 < order.size()) edges_.add(number(read), number(order[position + 1]));  // fr
  if (position == 0) return;
  const Event& write = graph.event(event.rf);
  // A load may take its own thread's store from the buffer, before anyone else sees it: that orders nothing globally,
  // neither behind the store nor behind what the store overwrites (n6 of the x86-TSO paper).
  const bool own_buffer = rules_ == Rules::kTso && is_load(event) && is_store(write) && write.thread == event.thread;
  if (!own_buffer) edges_.add(number(event.rf), number(read));
}

}  // namespace ordeal::model
