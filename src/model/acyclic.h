// Is a relation over the events of a graph acyclic? Kahn's algorithm over an edge list; the storage is reused.
#pragma once

#include <vector>

namespace ordeal::model {

class EdgeList {
 public:
  void start(int nodes) {
    edges_.clear();
    nodes_ = nodes;
  }
  void add(int from, int to) { edges_.push_back({from, to}); }
  bool is_acyclic();

 private:
  struct Edge {
    int from, to;
  };
  int nodes_ = 0;
  std::vector<Edge> edges_;
  std::vector<int> begin_, target_, indegree_, ready_;
};

}  // namespace ordeal::model
