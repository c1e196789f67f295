#include "agent/symmetry.h"

#include "model/symmetry.h"

namespace ordeal::agent {

using engine::Cut;
using engine::OperationKind;

namespace {

/// Whether a thread in the same state, looked at by itself, would not have gone on either. That a loop only waits is not always
/// seen, and a bug, as a race, is found by one of two.
bool ends_here(const engine::Operation& operation) {
  if (operation.kind == OperationKind::kFinish) return true;
  return operation.kind == OperationKind::kBlock && (operation.cut == Cut::kAssumption || operation.cut == Cut::kBound);
}

}  // namespace

bool SymmetryWatch::finished(const engine::Execution& execution) {
  model::ExecutionGraph& graph = execution.graph;
  if (!graph.is_symmetric() || program_.has_exited()) return true;
  for (int t = 1; t < graph.threads(); ++t) {
    const model::ThreadId thread{t}, twin = model::nearest_twin(graph, thread);
    if (twin == model::kNoThread || graph.count_in_class(twin) == graph.count_in_class(thread)) continue;
    if (ends_here(program_.next(thread)))
      program_.symmetry().give_up("threads " + std::to_string(number(twin)) + " and " + std::to_string(t) + " do different things, having seen the same");
  }
  return program_.symmetry().broken().empty();
}

}  // namespace ordeal::agent
