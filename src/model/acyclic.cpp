#include "model/acyclic.h"

namespace ordeal::model {

bool EdgeList::is_acyclic() {
  const auto n = static_cast<std::size_t>(nodes_);
  begin_.assign(n + 1, 0);
  indegree_.assign(n, 0);
  target_.resize(edges_.size());
  for (const Edge& edge : edges_) ++begin_[static_cast<std::size_t>(edge.from) + 1], ++indegree_[static_cast<std::size_t>(edge.to)];
  for (std::size_t i = 0; i < n; ++i) begin_[i + 1] += begin_[i];
  ready_.assign(begin_.begin(), begin_.end() - 1);
  for (const Edge& edge : edges_) target_[static_cast<std::size_t>(ready_[static_cast<std::size_t>(edge.from)]++)] = edge.to;
  ready_.clear();
  for (int i = 0; i < nodes_; ++i)
    if (indegree_[static_cast<std::size_t>(i)] == 0) ready_.push_back(i);
  for (std::size_t done = 0; done < ready_.size(); ++done) {
    const auto node = static_cast<std::size_t>(ready_[done]);
    for (int i = begin_[node]; i < begin_[node + 1]; ++i)
      if (--indegree_[static_cast<std::size_t>(target_[static_cast<std::size_t>(i)])] == 0) ready_.push_back(target_[static_cast<std::size_t>(i)]);
  }
  return ready_.size() == n;
}

}  // namespace ordeal::model
