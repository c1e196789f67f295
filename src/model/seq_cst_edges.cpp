#include "model/seq_cst_edges.h"

#include <algorithm>

namespace ordeal::model {
namespace {

bool is_fence(const Event& event) { return event.kind == EventKind::kFence; }

/// The last seq_cst event of `thread` with an index below `bound` that `accept`s.
template <class Accept>
Slot last_seq_cst_below(const ExecutionGraph& graph, ThreadId thread, ClockEntry bound, Accept&& accept) {
  Slot at = graph.last_seq_cst(thread);
  while (at != kNone && (graph.event(at).index >= bound || !accept(graph.event(at)))) at = graph.event(at).previous_sc;
  return at;
}

/// The last event of `thread` with an index of at most `index`; kNone if there is none. It is below `index` where the end
/// of the thread is meant (happens_before.h).
Slot event_at(const ExecutionGraph& graph, ThreadId thread, int index) {
  Slot at = graph.last_of(thread);
  while (at != kNone && graph.event(at).index > index) at = graph.event(at).previous;
  return at;
}

void predecessors_cpp20(const ExecutionGraph& graph, Slot node, std::vector<int>& out) {
  const Event& event = graph.event(node);
  const ClockEntry* shb = graph.row(node, Row::kShb);
  for (int t = 0; t < graph.threads(); ++t) {
    if (shb[t] == 0 || t == number(event.thread)) continue;
    const Slot before = last_seq_cst_below(graph, ThreadId{t}, shb[t], [](const Event&) { return true; });
    if (before != kNone) out.push_back(graph.event(before).sc_index);
  }
}

/// Into a seq_cst access e, from thread t (po orders the nodes of t, so the last one is enough):
///   a fence F   with F hb e' po e, or F hb e' hb e and e' at e's location;
///   an access s with s po≠loc x hb y po≠loc e, or s hb e at the same location.
void predecessors_rc11_access(const ExecutionGraph& graph, Slot node, std::vector<int>& out) {
  const Event& event = graph.event(node);
  const ClockEntry* hb = graph.row(node, Row::kHb);
  // The start of a thread is an event without a location, behind its creation.
  const Slot creation = graph.creation_of(event.thread);
  const Slot before = event.previous != kNone ? event.previous : creation;
  const ClockEntry* hb_before = before != kNone ? graph.row(before, Row::kHb) : nullptr;
  Slot elsewhere = event.previous;  // y: the last event before e at another location
  while (elsewhere != kNone && graph.event(elsewhere).location == event.location) elsewhere = graph.event(elsewhere).previous;
  if (elsewhere == kNone) elsewhere = creation;
  const ClockEntry* hb_elsewhere = elsewhere != kNone ? graph.row(elsewhere, Row::kHb) : nullptr;
  for (int t = 0; t < graph.threads(); ++t) {
    if (t == number(event.thread) || hb[t] == 0) continue;
    ClockEntry fence_bound = hb_before != nullptr ? hb_before[t] : 0;
    for (int u = 0; u < graph.threads(); ++u) {
      const Slot here = u == number(event.thread) ? event.previous_here : graph.last_here_below(event.location, ThreadId{u}, hb[u]);
      if (here != kNone) fence_bound = std::max(fence_bound, graph.row(here, Row::kHb)[t]);
    }
    Slot best = last_seq_cst_below(graph, ThreadId{t}, fence_bound, is_fence);
    const auto offer = [&](Slot slot) {
      if (slot != kNone && (best == kNone || graph.event(slot).index > graph.event(best).index)) best = slot;
    };
    offer(last_seq_cst_below(graph, ThreadId{t}, hb[t],
                             [&](const Event& s) { return !is_fence(s) && s.location == event.location; }));
    if (hb_elsewhere != nullptr && hb_elsewhere[t] > 0) {
      Slot at = event_at(graph, ThreadId{t}, hb_elsewhere[t] - 1);
      const bool is_end = at == kNone || graph.event(at).index < hb_elsewhere[t] - 1;
      const LocationId last_location = is_end ? kNoLocation : graph.event(at).location;
      bool differs = last_location == kNoLocation;
      if (!is_end) at = graph.event(at).previous;
      for (; at != kNone; at = graph.event(at).previous) {
        const Event& s = graph.event(at);
        if (is_seq_cst(s) && !is_fence(s) && (differs || s.location != last_location)) break;
        if (s.location != last_location) differs = true;
      }
      offer(at);
    }
    if (best != kNone) out.push_back(graph.event(best).sc_index);
  }
}

/// Into a seq_cst fence F, from thread t: a fence that happens before it; an access s with s po f' hb F, or s hb f' hb F
/// where f' is at s's location.
void predecessors_rc11_fence(const ExecutionGraph& graph, Slot node, std::vector<int>& out) {
  const Event& event = graph.event(node);
  const ClockEntry* hb = graph.row(node, Row::kHb);
  for (int t = 0; t < graph.threads(); ++t) {
    if (t == number(event.thread) || hb[t] == 0) continue;
    const Slot before = last_seq_cst_below(graph, ThreadId{t}, hb[t], [&](const Event& s) {
      if (is_fence(s) || s.index + 1 < hb[t]) return true;
      for (int u = 0; u < graph.threads(); ++u) {
        if (u == t) continue;
        const Slot here = graph.last_here_below(s.location, ThreadId{u}, hb[u]);
        if (here != kNone && graph.row(here, Row::kHb)[t] > s.index) return true;
      }
      return false;
    });
    if (before != kNone) out.push_back(graph.event(before).sc_index);
  }
}

}  // namespace

void fixed_predecessors(const ExecutionGraph& graph, SeqCstRules rules, Slot node, std::vector<int>& out) {
  const Event& event = graph.event(node);
  if (event.previous_sc != kNone) out.push_back(graph.event(event.previous_sc).sc_index);
  if (rules == SeqCstRules::kCpp20) predecessors_cpp20(graph, node, out);
  else if (is_fence(event)) predecessors_rc11_fence(graph, node, out);
  else predecessors_rc11_access(graph, node, out);
}

// --- strongly happens before ---------------------------------------------------------------------------------------------

void extend_strongly_happens_before(ExecutionGraph& graph) {
  const int width = graph.width();
  for (; graph.shb_valid < graph.size(); ++graph.shb_valid) {
    const Slot slot{graph.shb_valid};
    const Event& event = graph.event(slot);
    ClockEntry* shb = graph.row(slot, Row::kShb);
    const auto learn_through_hb = [&](Slot z) {
      // x po' y hb z po' slot: of each thread all before the last event y that happens before z, but if y is the write
      // of an RMW, its read is not po'-before it.
      const ClockEntry* hb = graph.row(z, Row::kHb);
      for (int t = 0; t < graph.threads(); ++t) {
        if (t == number(event.thread) || hb[t] == 0) continue;
        const Slot last = event_at(graph, ThreadId{t}, hb[t] - 1);
        const bool is_end = last == kNone || graph.event(last).index < hb[t] - 1;
        const bool inner = !is_end && graph.event(last).kind == EventKind::kWrite && graph.event(last).is_rmw;
        shb[t] = std::max(shb[t], hb[t] - (inner ? 2 : 1));
      }
    };
    const Slot before = event.previous != kNone ? event.previous : graph.creation_of(event.thread);
    if (before == kNone) {
      base::clear(shb, width);
    } else {
      base::copy(shb, graph.row(before, Row::kShb), width);
      const bool inner = event.kind == EventKind::kWrite && event.is_rmw;
      if (!inner) learn_through_hb(before);
    }
    shb[number(event.thread)] = event.index + 1;
    if (is_seq_cst(event) && event.kind == EventKind::kRead && number(event.rf) >= 0)
      base::join(shb, graph.row(event.rf, Row::kReleaseShb), width);
    if (event.sc_fence == slot) {  // [SC];sw;[SC] into a fence, through the reads before it
      for (Slot at = event.previous; at != kNone; at = graph.event(at).previous) {
        const Event& read = graph.event(at);
        if (read.kind == EventKind::kRead && read.order != MemoryOrder::kPlain && number(read.rf) >= 0)
          base::join(shb, graph.row(read.rf, Row::kReleaseShb), width);
        if (read.sc_fence == at) break;
      }
    }
    if (event.kind != EventKind::kWrite) continue;
    ClockEntry* release = graph.row(slot, Row::kReleaseShb);
    if (is_seq_cst(event)) base::copy(release, shb, width);
    else if (event.sc_fence != kNone && event.order != MemoryOrder::kPlain) base::copy(release, graph.row(event.sc_fence, Row::kShb), width);
    else base::clear(release, width);
    if (event.is_rmw && number(event.rf) >= 0) base::join(release, graph.row(event.rf, Row::kReleaseShb), width);
  }
}

}  // namespace ordeal::model
