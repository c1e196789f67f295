#include "explore/uniqueness.h"

#include <algorithm>
#include <vector>

namespace ordeal::explore {

using model::Event;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;
using model::ThreadId;

namespace {

template <class Number>
void append(std::string& key, Number value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_source(std::string& key, const ExecutionGraph& graph, const Event& event) {
  if (event.kind != model::EventKind::kRead && event.kind != model::EventKind::kWake) return;
  append(key, number(graph.event(event.rf).thread));  // -1: the initial write
  append(key, graph.place_in_class(event.rf));
}

/// Of fixed length for each kind, so keys have one meaning only.
void append_event(std::string& key, const ExecutionGraph& graph, const Event& event) {
  append(key, event.kind);
  append(key, event.is_rmw);
  append(key, event.failed_spuriously);
  append(key, number(event.location));
  append(key, event.value);
  append(key, event.mo_position);
  append_source(key, graph, event);
}

}  // namespace

std::string class_key(const ExecutionGraph& graph) {
  std::string key;
  std::vector<Slot> events;
  for (int t = 0; t < graph.threads(); ++t) {
    events.clear();
    for (Slot at = graph.last_of(ThreadId{t}); at != kNone; at = graph.event(at).previous)
      if (graph.event(at).kind != model::EventKind::kAttempt) events.push_back(at);
    if (events.empty()) continue;  // threads may have been declared that do not come up here
    append(key, t);
    append(key, static_cast<std::uint32_t>(events.size()));
    for (auto at = events.rbegin(); at != events.rend(); ++at) append_event(key, graph, graph.event(*at));
  }
  return key;
}

}  // namespace ordeal::explore
