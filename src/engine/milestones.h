// Where to keep the program (Program::keep), so that executions that begin alike need not run their common part again.
//
// The first milestone is behind the events with which the first thread sets things up and creates the others, before anything
// that depends on them. Further ones come where the same events were run again so often that keeping the program once would
// have been cheaper: that is at most twice as dear as knowing in advance. Where the search knows that it will come back, because an operation has alternatives
// left, it is kept at once if that is cheaper.
//
// Two graphs with the same serial in a slot are equal up to there, so one look tells whether an execution comes by a milestone.
#pragma once

#include <cstdint>
#include <vector>

#include "model/execution_graph.h"

namespace ordeal::engine {

class Milestones {
 public:
  static constexpr std::int64_t kOrdinaryCost = 4;  // of keeping, in operations that are run again

  /// How many of the milestones an execution with this graph comes by; the others are forgotten. `kept`: how many the program has.
  int passed(const model::ExecutionGraph& graph, int kept);
  /// Behind how many events the last one is; 0: there is none.
  int last() const { return places_.empty() ? 0 : places_.back().events; }
  /// An execution with this graph is run again from the last milestone on: behind how many events the program is to be kept; 0: not
  /// at all. `cost`: of keeping it, in operations that are run again.
  int place_to_keep(const model::ExecutionGraph& graph, std::int64_t cost);
  /// Whether to keep it behind so many events, where it stands, if executions will come back there so often.
  bool is_worth_keeping(int events, std::int64_t returns, std::int64_t cost) const;
  /// It was kept there.
  void note_kept(const model::ExecutionGraph& graph, int events);
  /// An execution did not go on from a milestone as it did from the start.
  void note_failure();

 private:
  struct Place {
    int events;
    std::uint64_t serial;  // of the last
  };
  struct Passes {
    std::uint64_t serial = 0;
    std::int64_t times = 0;
  };
  std::vector<Place> places_;
  std::vector<Passes> passes_;  // slot → how often its event was run again
  int failures_ = 0;
};

}  // namespace ordeal::engine
