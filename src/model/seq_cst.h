// The seq_cst axiom, [atomics.order]p3–p6: psc is acyclic for SOME modification order.
//
// Nodes are the seq_cst events. Two sorts of edges:
//
//   fixed     follow from hb alone: [SC];shb;[SC] in cpp20, the hb parts of scb and psc_fence in rc11;
//   by mo     L × R for writes a before b of one location, where L are the nodes that come before a's position (seq_cst
//             accesses there, fences that happen before an access there) and R those that come after b's.
//
// The solver closes the relation over the edges that are forced. Then it looks at pairs of writes that are still open: if
// one order would close a cycle, the other is forced, and it starts over. When nothing is forced any more and open pairs
// remain that would add an edge, it tries one order and backs up: a search inside a check, which never multiplies
// executions. Forced orders are entered into the graph (they hold in every completion); tried ones are undone.
//
// Strongly-happens-before (cpp20) is a clock like hb: shb = (po ∪ [SC];sw;[SC] ∪ po';hb;po')⁺ with po' = po without the
// inner edge of an RMW. With po in place of po' the test Z6.U is wrongly forbidden.
//
// Cost: O(nodes · threads + positions²) words a round, two or three rounds as a rule.
#pragma once

#include <cstdint>
#include <vector>

#include "model/execution_graph.h"

namespace ordeal::model {

/// Fills rows kShb and kReleaseShb of all events that lack them.
void extend_strongly_happens_before(ExecutionGraph& graph);

enum class SeqCstRules : std::uint8_t { kCpp20, kRc11 };

class SeqCst {
 public:
  explicit SeqCst(SeqCstRules rules) : rules_(rules) {}

  /// Whether some modification order that extends the forced one satisfies the axiom. May force further constraints.
  bool consistent(ExecutionGraph& graph);

 private:
  using Word = std::uint64_t;
  /// A place in a location's modification order and the nodes around it. Offsets of bit rows in sets_.
  struct Position {
    Slot write;
    LocationId location;
    int first_set;
    bool has_left, has_right;
  };
  // The bit rows of a position.
  enum Set { kLeftOfWrite, kLeftOfReads, kRightOfWrite, kRightOfReads, kFencesLeftOfWrite, kFencesLeftOfReads,
             kFencesRightOfReads, kSets };
  struct Edge {  // all nodes of set `from` before all of set `to`
    int from, to;
  };

  bool propagate(ExecutionGraph& graph);
  bool search(ExecutionGraph& graph);
  void collect_fixed(const ExecutionGraph& graph);
  void fixed_predecessors_cpp20(const ExecutionGraph& graph, Slot node);
  void fixed_predecessors_rc11_access(const ExecutionGraph& graph, Slot node);
  void fixed_predecessors_rc11_fence(const ExecutionGraph& graph, Slot node);
  void collect_positions(const ExecutionGraph& graph);
  void collect_location(const ExecutionGraph& graph, LocationId location);
  void add_access(const ExecutionGraph& graph, int position, Slot access);
  void collect_edges(const ExecutionGraph& graph);
  void add_edges(const Position& before, const Position& after);
  void add_edge(int from, int to);
  bool close();
  /// Whether ordering `before` ahead of `after` would close a cycle; `adds` tells whether it adds an edge at all.
  bool would_cycle(const Position& before, const Position& after, bool& adds);
  bool test_edge(int from, int to, bool& adds);

  Word* set(int index) { return sets_.data() + static_cast<std::size_t>(index) * words_; }
  Word* pred(int node) { return pred_.data() + static_cast<std::size_t>(node) * words_; }
  bool is_empty(const Word* row) const;

  SeqCstRules rules_;
  std::size_t words_ = 1;
  int nodes_ = 0;
  std::vector<Word> pred_;               // row n: nodes before n
  std::vector<int> fixed_;               // direct fixed predecessors, concatenated
  std::vector<int> fixed_begin_;         // node → start in fixed_
  std::vector<Position> positions_;
  std::vector<Word> sets_;
  std::vector<Edge> edges_;
  std::vector<Word> scratch_;
  std::vector<int> fences_;              // nodes that are fences
};

}  // namespace ordeal::model
