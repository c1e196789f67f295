// Load buffering: executions with a cycle in po ∪ rf, by certified promises.
//
// A complete graph with a cycle is allowed iff the axioms but "no thin air" hold, and its events can be executed one
// after the other, in an order that respects hb, so that each read finds its write or gets a certified promise:
// `is_allowed` is this definition. A promise (t, location, value) is certified at a point iff thread t, run alone from
// there, reading only writes that are there or its own, each step consistent, can perform such a write.
//
//   r0 = x; y = 1  ∥  r1 = y; x = 1      r0 = 1 is promised by the second thread, which alone would read 0 and write 1
//   r0 = x; y = r0 ∥  r1 = y; x = r1     neither thread alone can write a 1
//
// The rest of the class only produces enough candidates: see `search`.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "litmus/ast.h"
#include "oracle/graph.h"
#include "oracle/relation.h"

namespace ordeal::oracle {

class LoadBuffering {
 public:
  using Consistent = std::function<bool(const Graph&)>;  // the axioms but "no thin air", for some modification order
  using Report = std::function<void(const Graph&)>;

  LoadBuffering(Graphs& graphs, Budget& budget, Consistent consistent, Report report)
      : graphs_(graphs), budget_(budget), consistent_(std::move(consistent)), report_(std::move(report)) {}

  /// Reports all allowed graphs with a cycle, complete or cut, each at least once.
  void run();

 private:
  using Write = std::pair<int, litmus::Value>;            // location, value
  using Values = std::map<int, std::set<litmus::Value>>;  // by location

  bool is_allowed(const Graph& graph);
  bool has_execution_order(const Graph& graph, const Relation& hb, Set done, std::unordered_set<Set>& dead_ends);
  const std::set<Write>& certified(const Graph& graph, int thread);
  void run_alone(const Graph& graph, int thread, std::set<Write>& writes);

  void search(const Graph& graph);
  void add(const Graph& graph, int first_reader);
  void promise(const Graph& graph, int thread);
  bool only_reads_are_left(const Graph& graph) const;
  Values might_write(const Graph& graph, int thread);
  void might_write(Node* node, const Values& readable, Values& written);

  Graphs& graphs_;
  Budget& budget_;
  Consistent consistent_;
  Report report_;
  std::unordered_set<std::string> seen_;                        // partial graphs
  std::unordered_map<std::string, std::set<Write>> certified_;  // by partial graph and thread
};

}  // namespace ordeal::oracle
