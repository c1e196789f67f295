// The models `sc` and `tso`: axioms over an explicit modification order.
//
//   sc    po ∪ rf ∪ mo ∪ fr is acyclic; the orders written in the program do not matter.
//   tso   x86: definitions 2 and 3 of Burckhardt and Musuvathi (Sober). Program order and conflict order, without the
//         pairs (store, later load of the same thread), are acyclic (TSO1), and conflict order agrees with program order
//         (TSO2). Interlocked are RMWs, failing compare-exchanges, seq_cst stores and fences, create, join and wake; other
//         fences do nothing. A load that reads its own thread's buffered store is ordered behind nothing by that.
//
// Here modification order is part of the class and a choice, because store-buffer safety is defined on it. These models
// are checked from scratch at each event, O(n).
#pragma once

#include <vector>

#include "model/acyclic.h"
#include "model/execution_graph.h"

namespace ordeal::model {

class Interleaving {
 public:
  enum class Rules : std::uint8_t { kSc, kTso };
  explicit Interleaving(Rules rules) : rules_(rules) {}
  bool consistent(const ExecutionGraph& graph);

 private:
  bool atomic(const ExecutionGraph& graph) const;
  bool agrees_with_program_order(const ExecutionGraph& graph) const;
  void add_program_order(const ExecutionGraph& graph);
  void add_predecessors(const ExecutionGraph& graph, Slot to, ThreadId thread, Slot last);
  void add_conflict_order(const ExecutionGraph& graph);
  void add_reads_from(const ExecutionGraph& graph, Slot read, const std::vector<Slot>& order);

  Rules rules_;
  EdgeList edges_;
  std::vector<Slot> order_;
};

}  // namespace ordeal::model
