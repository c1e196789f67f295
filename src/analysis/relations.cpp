#include "analysis/relations.h"

#include <algorithm>
#include <map>

#include "analysis/mo_completion.h"

namespace ordeal::analysis {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::MemoryOrder;
using model::number;
using model::RmwFunction;
using model::Slot;

namespace {

constexpr std::size_t kMostWork = 4'000'000;  // reads times events

class Synchronisation {
 public:
  explicit Synchronisation(const ExecutionGraph& graph) : graph_(graph) {}

  std::vector<Edge> edges() {
    for (int i = 0; i < graph_.size(); ++i) add_into(Slot{i});
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    return std::move(edges_);
  }

 private:
  void add(Slot from, Slot to) {
    if (graph_.event(from).thread != graph_.event(to).thread) edges_.push_back({number(from), number(to)});
  }

  void add_into(Slot slot) {
    const Event& event = graph_.event(slot);
    if (event.previous == kNone && graph_.creation_of(event.thread) != kNone) add(graph_.creation_of(event.thread), slot);
    switch (event.kind) {
      case EventKind::kRead:
        if (model::acquires(event.order)) add_released(source_of_lock(event), slot);
        break;
      case EventKind::kWake:
        if (model::acquires(event.order)) add_released(event.rf, slot);
        break;
      case EventKind::kFence:
        if (model::acquires(event.order)) add_by_fence(slot);
        break;
      case EventKind::kJoin: {
        const Slot last = graph_.last_of(event.access.other), creation = graph_.creation_of(event.access.other);
        if (last != kNone) add(last, slot);
        else if (creation != kNone) add(creation, slot);
        break;
      }
      default: break;
    }
  }

  /// Loads before an earlier acquire fence synchronise with that one.
  void add_by_fence(Slot fence) {
    for (Slot at = graph_.event(fence).previous; at != kNone; at = graph_.event(at).previous) {
      const Event& event = graph_.event(at);
      if (event.kind == EventKind::kFence && model::acquires(event.order)) break;
      if (event.kind == EventKind::kRead && event.order != MemoryOrder::kPlain && !model::acquires(event.order))
        add_released(source_of_lock(event), fence);
    }
  }

  /// Who locks to read synchronises with the last unlock of a writer, as in model/happens_before.cpp.
  Slot source_of_lock(const Event& read) const {
    Slot at = read.rf;
    if (read.access.function != RmwFunction::kLockShared) return at;
    while (number(at) >= 0 && graph_.event(at).access.function != RmwFunction::kUnlock) at = graph_.event(at).rf;
    return at;
  }

  /// From all stores of the release sequences that `write` is in.
  void add_released(Slot write, Slot to) {
    for (int steps = 0; number(write) >= 0 && steps <= graph_.size(); ++steps) {
      const Event& event = graph_.event(write);
      if (model::releases(event.order)) add(write, to);
      else if (event.order != MemoryOrder::kPlain && event.release_fence != kNone) add(event.release_fence, to);
      if (!event.is_rmw) break;
      write = event.rf;
    }
  }

  const ExecutionGraph& graph_;
  std::vector<Edge> edges_;
};

/// Of each thread the last event that happens before `slot`; kNone: none.
std::vector<Slot> last_before(const ExecutionGraph& graph, Slot slot, const std::vector<std::vector<Slot>>& threads) {
  const model::ClockEntry* hb = graph.row(slot, model::Row::kHb);
  std::vector<Slot> last;
  for (int t = 0; t < graph.threads(); ++t) {
    const std::vector<Slot>& events = threads[static_cast<std::size_t>(t)];
    std::int32_t count = std::min(hb[t], static_cast<std::int32_t>(events.size()));
    if (t == number(graph.event(slot).thread)) count = graph.event(slot).index;
    last.push_back(count > 0 ? events[static_cast<std::size_t>(count) - 1] : kNone);
  }
  return last;
}

std::vector<Edge> reduced_happens_before(const ExecutionGraph& graph) {
  std::vector<std::vector<Slot>> threads(static_cast<std::size_t>(graph.threads()));
  for (int i = 0; i < graph.size(); ++i) threads[static_cast<std::size_t>(number(graph.event(Slot{i}).thread))].push_back(Slot{i});
  std::vector<Edge> edges;
  for (int i = 0; i < graph.size(); ++i) {
    const std::vector<Slot> before = last_before(graph, Slot{i}, threads);
    for (const Slot from : before) {
      if (from == kNone) continue;
      const bool follows = std::any_of(before.begin(), before.end(), [&](Slot other) { return other != kNone && other != from && graph.happens_before(from, other); });
      if (!follows) edges.push_back({number(from), i});
    }
  }
  return edges;
}

/// Whether happens-before is an order: it need not be in a trace from elsewhere.
bool is_order(const ExecutionGraph& graph) {
  for (int i = 0; i < graph.size(); ++i) {
    const Event& event = graph.event(Slot{i});
    if (graph.row(Slot{i}, model::Row::kHb)[number(event.thread)] > event.index + 1) return false;
  }
  return true;
}

void add_order_of_writes(GraphOfTrace& of_trace, Relations& out) {
  const ExecutionGraph& graph = of_trace.graph();
  std::map<EventIndex, OrderEdge> next;  // by write: to the one behind it
  for (const OrderOfWrites& order : complete_modification_order(of_trace)) {
    if (order.writes.empty()) continue;
    const EventIndex first = order.writes.front();
    next[initial_write_of(number(graph.event(Slot{first}).location))] = {{kNoEvent, first}, Necessity::kForced};
    for (std::size_t i = 0; i + 1 < order.writes.size(); ++i) {
      const OrderEdge edge{{order.writes[i], order.writes[i + 1]}, order.necessity[i]};
      out.mo.push_back(edge);
      next[edge.edge.from] = edge;
    }
  }
  for (int i = 0; i < graph.size(); ++i) {
    const Event& read = graph.event(Slot{i});
    const auto found = read.kind == EventKind::kRead ? next.find(number(read.rf)) : next.end();
    if (found == next.end()) continue;
    const Event& write = graph.event(Slot{found->second.edge.to});
    const bool is_own_half = read.is_rmw && write.thread == read.thread && write.index == read.index + 1;
    if (!is_own_half) out.fr.push_back({{i, found->second.edge.to}, found->second.necessity});
  }
}

}  // namespace

std::vector<Edge> synchronises_with(const ExecutionGraph& graph) { return Synchronisation(graph).edges(); }

Relations relations(const trace::Trace& trace) {
  Relations out;
  GraphOfTrace of_trace(trace);
  out.standing = of_trace.standing();
  const ExecutionGraph& graph = of_trace.graph();
  std::size_t reads = 0;
  for (int i = 0; i < graph.size(); ++i) {
    const Event& event = graph.event(Slot{i});
    if (event.previous != kNone) out.po.push_back({number(event.previous), i});
    const bool has_source = event.kind == EventKind::kRead || event.kind == EventKind::kWake;
    if (has_source && number(event.rf) >= 0) out.rf.push_back({number(event.rf), i});
    reads += event.kind == EventKind::kRead ? 1 : 0;
  }
  if (is_order(graph)) {
    out.sw = synchronises_with(graph);
    out.hb = reduced_happens_before(graph);
  }
  if (!of_trace.is_consistent()) return out;
  add_order_of_writes(of_trace, out);
  out.leaves_choices_out = reads * trace.events.size() > kMostWork;
  if (!out.leaves_choices_out) out.choices = choices_of_reads(trace, of_trace);
  return out;
}

}  // namespace ordeal::analysis
