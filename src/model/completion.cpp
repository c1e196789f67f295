#include "model/completion.h"

#include <algorithm>

namespace ordeal::model {
namespace {

/// Constraints that are tried for a while.
class Tentative {
 public:
  explicit Tentative(ExecutionGraph& graph) : graph_(graph), mark_(graph.mark()) {}
  ~Tentative() { graph_.undo(mark_); }
  Tentative(const Tentative&) = delete;
  Tentative& operator=(const Tentative&) = delete;

 private:
  ExecutionGraph& graph_;
  std::uint32_t mark_;
};

class Orders {
 public:
  using Visit = std::function<bool(std::span<const Slot>)>;
  Orders(ExecutionGraph& graph, Consistency& consistency, const Visit& visit)
      : graph_(graph), consistency_(consistency), visit_(visit) {}

  /// Fills order[at …] from the writes that stand there, one after the other.
  bool extend(std::vector<Slot>& order, std::size_t at) {
    if (at == order.size()) return visit_(order);
    for (std::size_t i = at; i < order.size(); ++i) {
      if (graph_.event(order[i]).location != graph_.event(order[at]).location) continue;
      Tentative tentative(graph_);
      std::swap(order[at], order[i]);
      bool possible = true;
      for (std::size_t j = at + 1; j < order.size() && possible; ++j)
        if (graph_.event(order[j]).location == graph_.event(order[at]).location) possible = precedes(order[at], order[j]);
      possible = possible && consistency_.recheck(graph_);
      const bool go_on = !possible || extend(order, at + 1);
      std::swap(order[at], order[i]);
      if (!go_on) return false;
    }
    return true;
  }

  /// Chooses the last write of each location from `at` on.
  bool choose_last(std::span<const LocationId> locations, std::vector<Slot>& last) {
    if (last.size() == locations.size()) return visit_(last);
    const LocationId location = locations[last.size()];
    if (consistency_.mo_is_explicit() || graph_.writes_at(location) == 0) {
      last.push_back(explicit_last(location));
      const bool go_on = choose_last(locations, last);
      last.pop_back();
      return go_on;
    }
    bool only_initial_chain = true;
    for (Slot at = graph_.last_write(location); at != kNone; at = graph_.event(at).previous_at_location) {
      if (graph_.event(at).chain_head != at) continue;
      only_initial_chain = false;
      if (!try_last(locations, last, at)) return false;
    }
    return !only_initial_chain || try_last(locations, last, initial_write(location));
  }

 private:
  bool precedes(Slot a, Slot b) {
    if (!consistency_.mo_is_explicit()) return force_before(graph_, a, b);
    return graph_.event(a).mo_position < graph_.event(b).mo_position;
  }

  Slot explicit_last(LocationId location) const {
    for (Slot at = graph_.last_write(location); at != kNone; at = graph_.event(at).previous_at_location)
      if (graph_.event(at).mo_position == graph_.writes_at(location)) return at;
    return initial_write(location);
  }

  bool try_last(std::span<const LocationId> locations, std::vector<Slot>& last, Slot head) {
    Tentative tentative(graph_);
    bool possible = true;
    for_each_chain(graph_, graph_.event(head).location, [&](Slot other) {
      if (possible && other != head) possible = force_before(graph_, other, head);
    });
    if (!possible || !consistency_.recheck(graph_)) return true;
    last.push_back(graph_.event(head).chain_tail);
    const bool go_on = choose_last(locations, last);
    last.pop_back();
    return go_on;
  }

  ExecutionGraph& graph_;
  Consistency& consistency_;
  const Visit& visit_;
};

}  // namespace

void for_each_completion(ExecutionGraph& graph, Consistency& consistency, std::span<const Slot> writes,
                         const std::function<bool(std::span<const Slot>)>& visit) {
  std::vector<Slot> order(writes.begin(), writes.end());
  Orders(graph, consistency, visit).extend(order, 0);
}

void for_each_final_memory(ExecutionGraph& graph, Consistency& consistency, std::span<const LocationId> locations,
                           const std::function<bool(std::span<const Slot>)>& visit) {
  std::vector<Slot> last;
  Orders(graph, consistency, visit).choose_last(locations, last);
}

}  // namespace ordeal::model
