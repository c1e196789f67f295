// All that makes up an execution graph, as text, in insertion order: equal texts are equal graphs.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/execution_graph.h"

namespace ordeal::tests {

inline std::string name_of(const model::ExecutionGraph& graph, model::Slot slot) {
  if (slot == model::kNone) return "none";
  const model::Event& event = graph.event(slot);
  if (number(slot) < 0) return "init" + std::to_string(number(event.location));
  return std::to_string(number(event.thread)) + "." + std::to_string(event.index);
}

inline std::string text_of(const model::ExecutionGraph& graph, model::Slot slot) {
  const model::Event& event = graph.event(slot);
  std::string text = name_of(graph, slot);
  const auto add = [&](const char* field, std::int64_t value) {
    text += std::string(" ") + field + std::to_string(value);
  };
  add("kind", static_cast<int>(event.kind));
  add("order", static_cast<int>(event.order));
  add("location", number(event.location));
  add("value", event.value);
  text += " rf " + name_of(graph, event.rf);
  add("mo", event.mo_position);
  add("site", event.access.site);
  if (event.kind == model::EventKind::kWrite) add("operand", event.access.operand);
  if (event.kind == model::EventKind::kCreate || event.kind == model::EventKind::kJoin)
    add("other", number(event.access.other));
  if (event.access.function == model::RmwFunction::kCompareExchange) add("expected", event.access.expected);
  if (event.is_rmw) text += " rmw";
  if (event.failed_spuriously) text += " spurious";
  if (event.ends_thread) text += " ends";
  if (event.blocks_thread) text += " blocks";
  add("backward", event.backward_readers);
  return text + "\n";
}

inline std::string text_of(const model::ExecutionGraph& graph) {
  std::vector<model::Slot> slots;
  for (int i = 0; i < graph.size(); ++i) slots.push_back(model::Slot{i});
  std::sort(slots.begin(), slots.end(),
            [&](model::Slot a, model::Slot b) { return graph.event(a).stamp < graph.event(b).stamp; });
  std::string text;
  for (int l = 0; l < graph.locations(); ++l)
    text += "location " + std::to_string(graph.event(model::initial_write(model::LocationId{l})).value) + "\n";
  for (const model::Slot slot : slots) text += text_of(graph, slot);
  return text;
}

}  // namespace ordeal::tests
