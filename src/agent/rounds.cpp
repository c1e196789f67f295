#include "agent/rounds.h"

namespace ordeal::agent {
namespace {

/// How often main has joined all of its threads, seen from the end. A thread that is not joined takes part in all that is later.
int rounds_of_main(const model::ExecutionGraph& graph) {
  int rounds = 0, joined = 0;
  for (model::Slot at = graph.last_of(model::ThreadId{0}); at != model::kNone; at = graph.event(at).previous) {
    const model::EventKind kind = graph.event(at).kind;
    if (kind == model::EventKind::kJoin) ++joined;
    if (kind != model::EventKind::kCreate) continue;
    if (joined == 0) rounds = 0;
    else if (--joined == 0) ++rounds;
  }
  return rounds;
}

}  // namespace

bool Rounds::finished(const engine::Execution& execution) {
  if (count_ < 0 && execution.ending == engine::Ending::kComplete) count_ = rounds_of_main(execution.graph);
  return true;
}

std::string Rounds::advice() const {
  if (count_ < 2) return {};
  const std::string count = std::to_string(count_);
  return "main joins all its threads " + count + " times: are these rounds independent? Their numbers of executions multiply. "
         "Check them one by one, or let ordeal_choose(" + count + ") pick one";
}

}  // namespace ordeal::agent
