#include "analysis/chain.h"

#include <algorithm>
#include <deque>

#include "analysis/relations.h"
#include "model/modification_order.h"

namespace ordeal::analysis {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;

namespace {

/// Whether a fence of this kind is among the events from … to (both excluded) of a thread, given by indices.
bool has_fence(const ExecutionGraph& graph, model::ThreadId thread, int from, int to, bool (*is_right)(model::MemoryOrder)) {
  for (Slot at = graph.last_of(thread); at != kNone && graph.event(at).index > from; at = graph.event(at).previous) {
    const Event& event = graph.event(at);
    if (event.index < to && event.kind == EventKind::kFence && is_right(event.order)) return true;
  }
  return false;
}

class PathSearch {
 public:
  /// The arrow rf from `first` to `last`, if there is one, is left out: it is what the question is about.
  PathSearch(const ExecutionGraph& graph, Slot first, Slot last) : graph_(graph), out_(size()), cost_(size(), -1), came_from_(size(), -1) {
    for (int i = 0; i < graph.size(); ++i) {
      const Event& event = graph.event(Slot{i});
      if (event.previous != kNone) add(number(event.previous), i, false);
      const bool is_asked = event.rf == first && Slot{i} == last;
      if (event.kind == EventKind::kRead && number(event.rf) >= 0 && !is_asked) add(number(event.rf), i, true);
    }
    for (const Edge& edge : synchronises_with(graph)) add(edge.from, edge.to, false);
  }

  /// The events of a cheapest path; empty: there is none.
  std::vector<int> path(Slot from, Slot to) {
    std::deque<int> open{number(from)};
    cost_[at(number(from))] = 0;
    while (!open.empty()) {
      const int here = open.front();
      open.pop_front();
      for (const Arrow& arrow : out_[at(here)]) relax(here, arrow, open);
    }
    std::vector<int> events;
    if (cost_[at(number(to))] < 0) return events;
    for (int i = number(to); i >= 0; i = came_from_[at(i)]) events.push_back(i);
    std::reverse(events.begin(), events.end());
    return events;
  }
  bool is_free(int from, int to) const {
    return std::any_of(out_[at(from)].begin(), out_[at(from)].end(), [&](const Arrow& arrow) { return arrow.to == to && !arrow.costs; });
  }

 private:
  struct Arrow {
    int to;
    bool costs;
  };
  std::size_t size() const { return static_cast<std::size_t>(graph_.size()); }
  static std::size_t at(int event) { return static_cast<std::size_t>(event); }
  void add(int from, int to, bool costs) { out_[at(from)].push_back({to, costs}); }
  void relax(int here, const Arrow& arrow, std::deque<int>& open) {
    const int cost = cost_[at(here)] + (arrow.costs ? 1 : 0);
    if (cost_[at(arrow.to)] >= 0 && cost_[at(arrow.to)] <= cost) return;
    cost_[at(arrow.to)] = cost;
    came_from_[at(arrow.to)] = here;
    if (arrow.costs) open.push_back(arrow.to);
    else open.push_front(arrow.to);
  }

  const ExecutionGraph& graph_;
  std::vector<std::vector<Arrow>> out_;
  std::vector<int> cost_, came_from_;
};

/// The hop at place `i` of the path. What is said of fences holds between where the path came into the thread and where it leaves it.
Hop hop_at(const ExecutionGraph& graph, const std::vector<int>& path, std::size_t i, const Spot& from, const Spot& to) {
  const Event &write = graph.event(Slot{path[i]}), &read = graph.event(Slot{path[i + 1]});
  std::size_t first = i, last = i + 1;
  while (first > 0 && graph.event(Slot{path[first - 1]}).thread == write.thread) --first;
  while (last + 1 < path.size() && graph.event(Slot{path[last + 1]}).thread == read.thread) ++last;
  const int came = first == 0 ? from.before - (from.is_event ? 0 : 1) : graph.event(Slot{path[first]}).index;
  const int left = last + 1 == path.size() ? to.before : graph.event(Slot{path[last]}).index + 1;
  Hop hop{path[i], path[i + 1]};
  hop.releases = model::releases(write.order) || has_fence(graph, write.thread, came, write.index, model::releases);
  hop.acquires = model::acquires(read.order) || has_fence(graph, read.thread, read.index, left, model::acquires);
  return hop;
}

}  // namespace

Chain find_chain(const ExecutionGraph& graph, const Spot& from, const Spot& to) {
  Chain chain;
  const Slot start = told_from(graph, from), end = known_at(graph, to);
  if (start == kNone || end == kNone) return chain;
  const bool are_events = from.is_event && to.is_event;
  PathSearch search(graph, are_events ? start : kNone, are_events ? end : kNone);
  const std::vector<int> path = search.path(start, end);
  chain.exists = !path.empty();
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    if (!search.is_free(path[i], path[i + 1])) chain.broken.push_back(hop_at(graph, path, i, from, to));
  return chain;
}

namespace {

bool is_in_sequence(const ExecutionGraph& graph, Slot head, Slot write) {
  while (number(write) >= 0 && write != head && graph.event(write).is_rmw) write = graph.event(write).rf;
  return write == head;
}

}  // namespace

CutSequence find_cut_sequence(const ExecutionGraph& graph, const Spot& from, const Spot& to) {
  for (Slot read = known_at(graph, to); read != kNone; read = graph.event(read).previous) {
    const Event& reader = graph.event(read);
    if (number(reader.thread) != to.thread) break;
    if (reader.kind != EventKind::kRead || number(reader.rf) < 0) continue;
    const Event& store = graph.event(reader.rf);
    const bool acquires = model::acquires(reader.order) || has_fence(graph, reader.thread, reader.index, to.before, model::acquires);
    if (!acquires || number(store.thread) == from.thread || store.is_rmw) continue;
    for (Slot at = graph.last_of(model::ThreadId{from.thread}); at != kNone && graph.event(at).index >= from.before; at = graph.event(at).previous) {
      const Event& release = graph.event(at);
      if (release.kind != EventKind::kWrite || release.location != reader.location || !model::releases(release.order)) continue;
      if (forced_before(graph, at, reader.rf) && !is_in_sequence(graph, at, reader.rf)) return {number(at), number(reader.rf), number(read)};
    }
  }
  return {};
}

}  // namespace ordeal::analysis
