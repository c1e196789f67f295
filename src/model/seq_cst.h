// The seq_cst axiom, [atomics.order]p3–p6: psc is acyclic for SOME modification order.
//
// Nodes are the seq_cst events. Two sorts of edges:
//
//   fixed     follow from hb alone: [SC];shb;[SC] in cpp20, the hb parts of scb and psc_fence in rc11;
//   by mo     L × R for writes a before b of one location, where L are the nodes that come before a's position (seq_cst
//             accesses there, fences that happen before an access there) and R those that come after b's.
//
// The solver keeps the relation transitively closed, first over the edges that are forced. Then it looks at pairs of writes
// that are still open: if one order would close a cycle, the other is forced, and it starts over. When nothing is forced any
// more and open pairs remain that would add an edge, it tries one order and backs up: a search inside a check, which never
// multiplies executions. Forced orders are entered into the graph (they hold in every completion); tried ones are undone.
//
// Most checks are not made at all: the solver leaves a witness behind, and many events extend it (seq_cst_witness.h).
//
// Strongly-happens-before (cpp20) is a clock like hb: shb = (po ∪ [SC];sw;[SC] ∪ po';hb;po')⁺ with po' = po without the
// inner edge of an RMW. With po in place of po' the test Z6.U is wrongly forbidden.
//
// Cost: O(nodes · threads + positions²) words to set up, O(nodes) for each edge that is not implied, and
// O(open pairs). The fixed edges are in seq_cst_edges.h, the solver in seq_cst_solver.h.
#pragma once

#include <memory>

#include "model/execution_graph.h"
#include "model/seq_cst_edges.h"
#include "model/seq_cst_witness.h"

namespace ordeal::model {

class SeqCst {
 public:
  explicit SeqCst(SeqCstRules rules);
  ~SeqCst();
  SeqCst(SeqCst&&) noexcept;

  /// Whether some modification order that extends the forced one satisfies the axiom. May force further constraints.
  bool consistent(ExecutionGraph& graph);
  /// The same; what was found out is kept for larger graphs. REQUIRES: no tentative constraints.
  bool consistent_for_good(ExecutionGraph& graph);
  /// Whether the witness of a smaller graph shows that this one is consistent. False: not known.
  bool extends_witness(ExecutionGraph& graph) { return witness_.extend(graph); }
  /// The same, with other ranks. REQUIRES: `extends_witness` has just said false.
  bool changes_witness(ExecutionGraph& graph) { return witness_.make_room(graph); }
  /// Whether what is known of a smaller graph shows that this one is inconsistent: the read on top comes before a write
  /// that is known to come before the read's predecessor. False: not known.
  static bool contradicts_known_relation(const ExecutionGraph& graph);

 private:
  bool solve(ExecutionGraph& graph, bool for_good);

  struct Solvers;
  SeqCstRules rules_;
  std::unique_ptr<Solvers> solvers_;
  SeqCstWitness witness_;
};

}  // namespace ordeal::model
