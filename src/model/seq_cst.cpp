#include "model/seq_cst.h"

#include <stdexcept>

#include "model/modification_order.h"
#include "model/seq_cst_solver.h"

namespace ordeal::model {

/// One solver for each order of magnitude; the larger ones are made when first needed.
struct SeqCst::Solvers {
  explicit Solvers(SeqCstRules rules_in) : rules(rules_in), small(rules_in) {}

  template <int Words>
  bool solve(std::unique_ptr<SeqCstSolver<Words>>& solver, ExecutionGraph& graph) {
    if (!solver) solver = std::make_unique<SeqCstSolver<Words>>(rules);
    return solver->consistent(graph, false);
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
    if (!solvers_->small.consistent(graph, for_good)) return false;
    if (for_good) solvers_->small.keep_relation(graph);
    return true;
  }
  if (nodes <= 4 * 64) return solvers_->solve(solvers_->medium, graph);
  if (nodes <= 16 * 64) return solvers_->solve(solvers_->large, graph);
  if (nodes <= 256 * 64) return solvers_->solve(solvers_->huge, graph);
  throw std::length_error("an execution with more than 16,384 seq_cst operations");
}

namespace {

/// A read that psc does not see: it forced no order between writes, and no seq_cst event comes through it.
bool is_inert(const ExecutionGraph& graph, Slot read) {
  const Event& event = graph.event(read);
  const std::uint32_t trail_end = read == graph.last() ? graph.mark() : graph.event(Slot{number(read) + 1}).trail_mark;
  return !is_seq_cst(event) && graph.seq_cst_fences() == 0 && trail_end == event.trail_mark;
}

}  // namespace

bool SeqCst::extends_witness(const ExecutionGraph& graph) {
  constexpr int kFar = 64;  // a check is cheaper, and brings the witness up to date
  const SeqCstRelations& known = graph.seq_cst_relations;
  if (graph.size() - known.size() > kFar) return false;
  witness_.assign(known.last().begin(), known.last().end());
  for (int l = static_cast<int>(witness_.size()); l < graph.locations(); ++l) witness_.push_back(initial_write(LocationId{l}));
  for (Slot at{known.size()}; number(at) < graph.size(); at = Slot{number(at) + 1}) {
    const Event& event = graph.event(at);
    if (!is_access(event)) continue;
    Slot& last = witness_[static_cast<std::size_t>(number(event.location))];
    const bool is_write = event.kind == EventKind::kWrite;
    if (event.rf != last && (is_write ? event.is_rmw : !is_inert(graph, at))) return false;
    if (is_write) last = at;
  }
  return true;
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
