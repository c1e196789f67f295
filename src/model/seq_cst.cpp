#include "model/seq_cst.h"

#include <stdexcept>

#include "model/modification_order.h"
#include "model/seq_cst_solver.h"

namespace ordeal::model {

/// One solver for each order of magnitude; the larger ones are made when first needed.
struct SeqCst::Solvers {
  explicit Solvers(SeqCstRules rules_in) : rules(rules_in) {}

  template <int Words>
  bool solve(std::unique_ptr<SeqCstSolver<Words>>& solver, ExecutionGraph& graph, bool for_good) {
    if (!solver) solver = std::make_unique<SeqCstSolver<Words>>(rules);
    if (!solver->consistent(graph, for_good)) return false;
    if (for_good) solver->keep_relation(graph);
    return true;
  }

  SeqCstRules rules;
  std::unique_ptr<SeqCstSolver<1>> small;
  std::unique_ptr<SeqCstSolver<4>> medium;
  std::unique_ptr<SeqCstSolver<16>> large;
  std::unique_ptr<SeqCstSolver<256>> huge;
};

SeqCst::SeqCst(SeqCstRules rules) : rules_(rules), solvers_(std::make_unique<Solvers>(rules)), witness_(rules) {}
SeqCst::~SeqCst() = default;
SeqCst::SeqCst(SeqCst&&) noexcept = default;

bool SeqCst::consistent(ExecutionGraph& graph) { return solve(graph, false); }
bool SeqCst::consistent_for_good(ExecutionGraph& graph) { return solve(graph, true); }

bool SeqCst::solve(ExecutionGraph& graph, bool for_good) {
  const std::size_t nodes = graph.seq_cst_events().size();
  if (nodes < 2) return true;
  if (rules_ == SeqCstRules::kCpp20) extend_strongly_happens_before(graph);
  if (nodes <= 64) return solvers_->solve(solvers_->small, graph, for_good);
  if (nodes <= 4 * 64) return solvers_->solve(solvers_->medium, graph, for_good);
  if (nodes <= 16 * 64) return solvers_->solve(solvers_->large, graph, for_good);
  if (nodes <= 256 * 64) return solvers_->solve(solvers_->huge, graph, for_good);
  throw std::length_error("an execution with more than 16,384 seq_cst operations");
}

bool SeqCst::contradicts_known_relation(const ExecutionGraph& graph) {
  const Event& read = graph.event(graph.last());
  if (read.kind != EventKind::kRead || !is_seq_cst(read) || read.previous_sc == kNone) return false;
  const auto before = static_cast<std::size_t>(graph.event(read.previous_sc).sc_index);
  const std::span<const std::uint64_t> rows = graph.seq_cst_relations.rows();
  if (before >= rows.size()) return false;
  const std::uint64_t known = rows[before] | std::uint64_t{1} << before;
  for (Slot at = graph.last_write(read.location); at != kNone; at = graph.event(at).previous_at_location) {
    const std::int32_t node = graph.event(at).sc_index;
    if (node >= 0 && node < 64 && (known >> node & 1) != 0 && at != read.rf && forced_before(graph, read.rf, at)) return true;
  }
  return false;
}

}  // namespace ordeal::model
