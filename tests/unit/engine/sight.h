// What tests of the main loop look at: the values that threads noted, over all executions.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "engine/observer.h"
#include "tests/support/exploration.h"
#include "tests/support/scripted_program.h"

namespace ordeal::tests {

using Notes = std::vector<Value>;  // of one execution: by thread, then in program order

/// Counts executions by what they noted.
class Noted final : public engine::Observer {
 public:
  bool finished(const engine::Execution& execution) override {
    const model::ExecutionGraph& graph = execution.graph;
    Notes notes;
    for (int t = 0; t < graph.threads(); ++t)
      for (int i = 0; i < graph.size(); ++i) {
        const model::Event& event = graph.event(model::Slot{i});
        if (event.kind == EventKind::kNote && number(event.thread) == t) notes.push_back(event.value);
      }
    ++(execution.ending == engine::Ending::kComplete ? complete : blocked)[notes];
    return true;
  }
  std::map<Notes, int> complete;
  std::map<Notes, int> blocked;
};

inline std::set<Notes> keys_of(const std::map<Notes, int>& counted) {
  std::set<Notes> keys;
  for (const auto& [notes, count] : counted) keys.insert(notes);
  return keys;
}

}  // namespace ordeal::tests
