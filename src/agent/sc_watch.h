// Counts executions that are interleavings of the threads, and those that are not.
#pragma once

#include "analysis/sc_of_search.h"
#include "trace/run_result.h"

namespace ordeal::agent {

class ScWatch {
 public:
  /// What was counted does not count: the search begins anew.
  void begin_round(trace::RunResult& result) {
    result.sc = trace::ScCounts();
    result.not_sc.clear();
  }
  analysis::Sc look_at(const model::ExecutionGraph& graph, trace::RunResult& result) {
    const analysis::Sc answer = sc_.decide(graph);
    ++(answer == analysis::Sc::kYes ? result.sc->sc : answer == analysis::Sc::kNo ? result.sc->not_sc : result.sc->undecided);
    return answer;
  }

 private:
  analysis::ScOfSearch sc_;
};

}  // namespace ordeal::agent
