// The solver behind seq_cst.h, for at most 64 · Words seq_cst events.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <vector>

#include "model/coherence.h"
#include "model/seq_cst_edges.h"

namespace ordeal::model {

/// A set of nodes.
template <int Words>
struct NodeSet {
  std::array<std::uint64_t, Words> words{};

  void add(int node) { words[static_cast<std::size_t>(node) / 64] |= std::uint64_t{1} << (node % 64); }
  bool has(int node) const { return (words[static_cast<std::size_t>(node) / 64] >> (node % 64) & 1) != 0; }
  bool is_empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    return any == 0;
  }
  NodeSet& operator|=(const NodeSet& other) {
    for (std::size_t i = 0; i < Words; ++i) words[i] |= other.words[i];
    return *this;
  }
  bool meets(const NodeSet& other) const {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < Words; ++i) any |= words[i] & other.words[i];
    return any != 0;
  }
  bool is_within(const NodeSet& other) const {
    std::uint64_t outside = 0;
    for (std::size_t i = 0; i < Words; ++i) outside |= words[i] & ~other.words[i];
    return outside == 0;
  }
  /// The first member that is not in `other`, or -1.
  int first_outside(const NodeSet& other) const {
    for (std::size_t i = 0; i < Words; ++i)
      if (const std::uint64_t rest = words[i] & ~other.words[i]; rest != 0) return static_cast<int>(i * 64) + std::countr_zero(rest);
    return -1;
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < Words; ++i)
      for (std::uint64_t rest = words[i]; rest != 0; rest &= rest - 1) visit(static_cast<int>(i * 64) + std::countr_zero(rest));
  }
};

template <int Words>
class SeqCstSolver {
 public:
  explicit SeqCstSolver(SeqCstRules rules) : rules_(rules) {}

  bool consistent(ExecutionGraph& graph) {
    close_fixed_edges(graph);
    collect_positions(graph);
    return search(graph);
  }

  /// Keeps the relation of the last check, by forced edges, for larger graphs.
  void keep_relation(ExecutionGraph& graph)
    requires(Words == 1)
  {
    rows_.resize(before_.size());
    for (std::size_t n = 0; n < before_.size(); ++n) rows_[n] = before_[n].words[0];
    graph.seq_cst_relations.add(graph.size(), rows_);
  }

 private:
  using Set = NodeSet<Words>;

  /// A write's place in modification order. If it is before another, all of `left` is before all of the other's `right`,
  /// and `left_fences` before `right_fences`. Of the place itself, `from` is before `into` (rf).
  struct Position {
    Slot write;
    LocationId location;
    Set left, right;                // cpp20: nodes before and after any access there; rc11: after the write only
    Set left_fences, right_fences;  // rc11: psc_fence
    Set from, into;
    Set below;                      // left, and all that is before it
    std::size_t group = 0;          // where the positions of its location begin
    std::uint64_t earlier = 0;      // of those, which are forced before it; as far as 64 reach
  };

  // --- the relation, always closed -----------------------------------------------------------------------------------------

  void close_fixed_edges(const ExecutionGraph& graph) {
    const auto& nodes = graph.seq_cst_events();
    before_.assign(nodes.size(), Set{});
    std::size_t n = 0;
    if constexpr (Words == 1) {  // what is known from a smaller graph, by whatever edges
      for (const std::uint64_t row : graph.seq_cst_relations.latest()) before_[n++].words[0] = row;
    }
    for (; n < nodes.size(); ++n) {
      found_.clear();
      fixed_predecessors(graph, rules_, nodes[n], found_);
      for (const int p : found_) {
        before_[n] |= before_[static_cast<std::size_t>(p)];
        before_[n].add(p);
      }
    }
    fences_.clear();
    for (n = 0; graph.seq_cst_fences() > 0 && n < nodes.size(); ++n)
      if (graph.event(nodes[n]).kind == EventKind::kFence) fences_.push_back(static_cast<int>(n));
  }

  Set& before(int node) { return before_[static_cast<std::size_t>(node)]; }

  /// False: that closes a cycle.
  bool add_edge(int from, int to) {
    if (from == to || before(from).has(to)) return false;
    Set learned = before(from);
    learned.add(from);
    for (std::size_t n = 0; n < before_.size(); ++n)
      if (static_cast<int>(n) == to || before_[n].has(to)) before_[n] |= learned;
    return true;
  }

  bool add_edges(const Set& from, const Set& to) {
    bool acyclic = true;
    to.for_each([&](int node) {
      for (int missing; acyclic && (missing = from.first_outside(before(node))) >= 0;) acyclic = add_edge(missing, node);
    });
    return acyclic;
  }

  // --- positions -------------------------------------------------------------------------------------------------------------

  void collect_positions(const ExecutionGraph& graph) {
    positions_.clear();
    for (int l = 0; l < graph.locations(); ++l) {
      const LocationId location{l};
      if (graph.writes_at(location) == 0) continue;
      if (fences_.empty() && graph.seq_cst_accesses_at(location) == 0) continue;
      collect_location(graph, location);
    }
  }

  void collect_location(const ExecutionGraph& graph, LocationId location) {
    const std::size_t first = positions_.size();
    index_.resize(std::max(index_.size(), static_cast<std::size_t>(graph.size())));
    positions_.push_back({initial_write(location), location, {}, {}, {}, {}, {}, {}, {}});
    for (Slot at = graph.last_write(location); at != kNone; at = graph.event(at).previous_at_location) {
      if (graph.event(at).chain_head == kNone) continue;  // an RMW's write that found its place taken
      index_[static_cast<std::size_t>(number(at))] = positions_.size();
      positions_.push_back({at, location, {}, {}, {}, {}, {}, {}, {}});
      add_access(graph, positions_.back(), at);
    }
    for (Slot at = graph.last_read(location); at != kNone; at = graph.event(at).previous_at_location) {
      const Slot source = graph.event(at).rf;
      if (source == kNone) continue;  // a promise
      add_access(graph, positions_[is_initial(source) ? first : index_[static_cast<std::size_t>(number(source))]], at);
    }
    drop_idle_positions(first);
  }

  void add_access(const ExecutionGraph& graph, Position& position, Slot access) {
    const Event& event = graph.event(access);
    const bool is_write = event.kind == EventKind::kWrite, is_cpp20 = rules_ == SeqCstRules::kCpp20;
    const auto add_left = [&](int node, bool node_is_fence) {
      position.left.add(node);
      if (node_is_fence) position.left_fences.add(node);
      if (is_write && (is_cpp20 || node_is_fence)) position.from.add(node);
    };
    const auto add_right = [&](int node, bool node_is_fence) {
      if (is_write || is_cpp20) position.right.add(node);
      if (!is_write && (is_cpp20 || node_is_fence)) {
        position.into.add(node);
        if (!is_cpp20) position.right_fences.add(node);
      }
    };
    if (event.sc_index >= 0) {
      add_left(event.sc_index, false);
      add_right(event.sc_index, false);
    }
    for (const int fence : fences_) {
      const Slot slot = graph.seq_cst_events()[static_cast<std::size_t>(fence)];
      if (graph.happens_before(slot, access)) add_left(fence, true);
      else if (graph.happens_before(access, slot)) add_right(fence, true);
    }
  }

  /// Only positions with a node on some side matter, and only if the location has nodes on both.
  void drop_idle_positions(std::size_t first) {
    bool has_left = false, has_right = false;
    for (std::size_t i = first; i < positions_.size(); ++i) {
      has_left |= !positions_[i].left.is_empty();
      has_right |= !positions_[i].right.is_empty() || !positions_[i].into.is_empty();
    }
    std::size_t kept = first;
    for (std::size_t i = first; i < positions_.size() && has_left && has_right; ++i) {
      const Position& p = positions_[i];
      if (p.left.is_empty() && p.right.is_empty() && p.into.is_empty()) continue;
      if (kept != i) positions_[kept] = p;
      ++kept;
    }
    positions_.resize(kept);
    for (std::size_t i = first; i < kept; ++i) positions_[i].group = first;
  }

  /// Reads the forced order off the graph.
  void update_order(const ExecutionGraph& graph) {
    for (Position& b : positions_) {
      b.earlier = 0;
      for (std::size_t i = b.group; i < positions_.size() && i < b.group + 64 && positions_[i].group == b.group; ++i)
        if (positions_[i].write != b.write && forced_before(graph, positions_[i].write, b.write)) b.earlier |= std::uint64_t{1} << (i - b.group);
    }
  }
  bool is_before(const ExecutionGraph& graph, std::size_t a, const Position& b) const {
    const std::size_t place = a - b.group;
    if (place < 64) return (b.earlier >> place & 1) != 0;
    return positions_[a].write != b.write && forced_before(graph, positions_[a].write, b.write);
  }

  // --- edges by modification order -------------------------------------------------------------------------------------------

  bool add_forced_edges(const ExecutionGraph& graph) {
    update_order(graph);
    for (const Position& b : positions_) {
      if (!add_edges(b.from, b.into)) return false;
      Set left, left_fences;
      for (std::size_t i = b.group; i < positions_.size() && positions_[i].group == b.group; ++i) {
        if (!is_before(graph, i, b)) continue;
        left |= positions_[i].left;
        left_fences |= positions_[i].left_fences;
      }
      if (!add_edges(left, b.right) || !add_edges(left_fences, b.right_fences)) return false;
    }
    return true;
  }

  /// Whether `a` before `b` would close a cycle.
  bool cycles(const Position& a, const Position& b) {
    if (a.below.meets(b.right)) return true;
    bool found = false;
    if (!b.right_fences.is_empty())
      a.left_fences.for_each([&](int n) { found |= b.right_fences.has(n) || before(n).meets(b.right_fences); });
    return found;
  }

  /// Whether `a` before `b` would add an edge.
  bool adds_edge(const Position& a, const Position& b) {
    bool adds = false;
    b.right.for_each([&](int n) { adds |= !a.left.is_within(before(n)); });
    b.right_fences.for_each([&](int n) { adds |= !a.left_fences.is_within(before(n)); });
    return adds;
  }

  /// Pairs that were open when the order was read; `visit` may have ordered some of them meanwhile.
  template <class Visit>
  bool for_each_open_pair(const ExecutionGraph& graph, Visit&& visit) {
    for (std::size_t i = 0; i < positions_.size(); ++i)
      for (std::size_t j = i + 1; j < positions_.size() && positions_[j].group == positions_[i].group; ++j) {
        const Position &a = positions_[i], &b = positions_[j];
        if (is_before(graph, i, b) || is_before(graph, j, a)) continue;
        if (!visit(a, b)) return false;
      }
    return true;
  }

  /// All that is forced. False: inconsistent.
  bool propagate(ExecutionGraph& graph) {
    for (bool forced = true; forced;) {
      forced = false;
      if (!add_forced_edges(graph)) return false;
      for (Position& p : positions_) {
        p.below = p.left;
        p.left.for_each([&](int n) { p.below |= before(n); });
      }
      const bool possible = for_each_open_pair(graph, [&](const Position& a, const Position& b) {
        const bool not_ab = cycles(a, b), not_ba = cycles(b, a);
        if (not_ab && not_ba) return false;
        forced |= not_ab || not_ba;
        if (not_ab) return force_before(graph, b.write, a.write);
        return !not_ba || force_before(graph, a.write, b.write);
      });
      if (!possible) return false;
    }
    return true;
  }

  bool search(ExecutionGraph& graph) {
    if (!propagate(graph)) return false;
    Slot first = kNone, second = kNone;
    for_each_open_pair(graph, [&](const Position& a, const Position& b) {
      if (!adds_edge(a, b) && !adds_edge(b, a)) return true;
      first = b.write;  // in a lower slot: likelier to come first
      second = a.write;
      return false;
    });
    if (first == kNone || guess(graph)) return true;
    return try_order(graph, first, second) || try_order(graph, second, first);
  }

  /// Orders all open pairs at once, along the relation as it is now. If that is consistent, no search is needed.
  bool guess(ExecutionGraph& graph) {
    save();
    const std::uint32_t mark = graph.mark();
    const auto rank = [&](const Position& p) {
      int members = 0;
      for (const std::uint64_t word : p.below.words) members += std::popcount(word);
      return members;
    };
    for_each_open_pair(graph, [&](const Position& a, const Position& b) {
      const bool a_first = rank(a) < rank(b);
      force_before(graph, a_first ? a.write : b.write, a_first ? b.write : a.write);
      return true;
    });
    const bool found = add_forced_edges(graph);
    graph.undo(mark);
    before_ = saved_.back();
    saved_.pop_back();
    return found;
  }

  void save() { saved_.push_back(before_); }

  bool try_order(ExecutionGraph& graph, Slot a, Slot b) {
    save();
    const std::uint32_t mark = graph.mark();
    const bool found = force_before(graph, a, b) && search(graph);
    graph.undo(mark);
    before_ = saved_.back();
    saved_.pop_back();
    return found;
  }

  SeqCstRules rules_;
  std::vector<Set> before_;         // node → nodes before it
  std::deque<std::vector<Set>> saved_;
  std::vector<int> fences_;         // nodes that are fences
  std::vector<Position> positions_; // by location
  std::vector<std::size_t> index_;  // slot of a write → its position
  std::vector<int> found_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace ordeal::model
