#include "model/seq_cst.h"

#include <stdexcept>

#include "model/seq_cst_solver.h"

namespace ordeal::model {

/// One solver for each order of magnitude; the larger ones are made when first needed.
struct SeqCst::Solvers {
  explicit Solvers(SeqCstRules rules_in) : rules(rules_in), small(rules_in) {}

  template <int Words>
  bool solve(std::unique_ptr<SeqCstSolver<Words>>& solver, ExecutionGraph& graph) {
    if (!solver) solver = std::make_unique<SeqCstSolver<Words>>(rules);
    return solver->consistent(graph);
  }

  SeqCstRules rules;
  SeqCstSolver<1> small;
  std::unique_ptr<SeqCstSolver<4>> medium;
  std::unique_ptr<SeqCstSolver<16>> large;
  std::unique_ptr<SeqCstSolver<256>> huge;
};

SeqCst::SeqCst(SeqCstRules rules) : rules_(rules), solvers_(std::make_unique<Solvers>(rules)) {}
SeqCst::~SeqCst() = default;
SeqCst::SeqCst(SeqCst&&) noexcept = default;

bool SeqCst::consistent(ExecutionGraph& graph) { return solve(graph, false); }
bool SeqCst::consistent_for_good(ExecutionGraph& graph) { return solve(graph, true); }

bool SeqCst::solve(ExecutionGraph& graph, bool for_good) {
  const std::size_t nodes = graph.seq_cst_events().size();
  if (nodes < 2) return true;
  if (rules_ == SeqCstRules::kCpp20) extend_strongly_happens_before(graph);
  if (nodes <= 64) {
    if (!solvers_->small.consistent(graph)) return false;
    if (for_good) solvers_->small.keep_relation(graph);
    return true;
  }
  if (nodes <= 4 * 64) return solvers_->solve(solvers_->medium, graph);
  if (nodes <= 16 * 64) return solvers_->solve(solvers_->large, graph);
  if (nodes <= 256 * 64) return solvers_->solve(solvers_->huge, graph);
  throw std::length_error("an execution with more than 16,384 seq_cst operations");
}

}  // namespace ordeal::model
