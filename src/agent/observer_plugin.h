// Observers of users (include/ordeal/observer.h): the file is loaded into the tested process before the first execution, and looks at
// each execution that the judge (judge.h) has found no bug in.
#pragma once

#include <ordeal/observer.h>

#include <string>
#include <vector>

#include "engine/observer.h"
#include "runtime/locations.h"
#include "trace/trace.h"

namespace ordeal::agent {

class ObserverPlugin {
 public:
  /// Returns what is wrong with the file; empty: nothing. REQUIRES: called once, after HiddenCode::find (it is not the program's code)
  /// and Snapshot::take (its variables stay as they are).
  std::string load(const std::string& file);
  bool is_loaded() const { return table_ != nullptr; }
  const char* name() const { return table_->name; }

  void begin();
  struct Opinion {
    ordeal_opinion kind = ORDEAL_FINE;
    std::string message{};
    bool was_asked = true;
  };
  Opinion look_at(const engine::Execution& execution, const runtime::Locations& locations);
  /// One of random testing. It is not asked about one that is too large.
  Opinion look_at(const trace::Trace& trace);
  /// What it says in the end; empty: nothing.
  std::string note() const;

 private:
  void describe(const model::ExecutionGraph& graph);
  Opinion ask(const model::ExecutionGraph& graph, engine::Ending ending);

  const ordeal_observer* table_ = nullptr;
  std::uint64_t number_ = 0;
  std::vector<ordeal_event> events_;
  std::vector<ordeal_location> locations_;
  std::vector<int> places_;  // slot → event
};

}  // namespace ordeal::agent
