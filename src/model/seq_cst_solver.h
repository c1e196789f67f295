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
#include "model/seq_cst_witness.h"

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
  int size() const {
    int nodes = 0;
    for (const std::uint64_t word : words) nodes += std::popcount(word);
    return nodes;
  }
  NodeSet& operator|=(const NodeSet& other) {
    for (std::size_t i = 0; i < Words; ++i) words[i] |= other.words[i];
    return *this;
  }
  NodeSet& operator&=(const NodeSet& other) {
    for (std::size_t i = 0; i < Words; ++i) words[i] &= other.words[i];
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

  bool consistent(ExecutionGraph& graph, bool for_good) {
    wants_witness_ = for_good;
    close_fixed_edges(graph);
    collect_positions(graph);
    return search(graph);
  }

  /// Keeps the relation of the last check, by forced edges, and the witness found, for larger graphs.
  void keep_relation(ExecutionGraph& graph) {
    graph.seq_cst_relations.forget_above(graph.size() - 1);
    if constexpr (Words == 1) {
      rows_.resize(before_.size());
      for (std::size_t n = 0; n < before_.size(); ++n) rows_[n] = before_[n].words[0];
      graph.seq_cst_relations.add(rows_, witness_);
    } else {
      graph.seq_cst_relations.add(witness_);
    }
  }

 private:
  using Set = NodeSet<Words>;

  /// A write's place in modification order. If it is before another, all of `left` is before all of the other's `right`,
  /// and `left_fences` before `right_fences`. Of the place itself, `from` is before `into` (rf).
  struct Position {
    Slot write;
    Set left, right;                // cpp20: nodes before and after any access there; rc11: after the write only
    Set left_fences, right_fences;  // rc11: psc_fence
    Set from, into;
    Set below;                      // left, and all that is before it
    std::uint64_t earlier = 0, later = 0;  // which positions of its group are forced before and behind it; as far as 64 reach
  };
  /// The positions of a location.
  struct Group {
    std::size_t first, end;
  };

  // --- the relation, always closed -----------------------------------------------------------------------------------------

  void close_fixed_edges(const ExecutionGraph& graph) {
    const auto& nodes = graph.seq_cst_events();
    before_.assign(nodes.size(), Set{});
    std::size_t n = 0;
    if constexpr (Words == 1) {  // what is known from a smaller graph, by whatever edges
      for (const std::uint64_t row : graph.seq_cst_relations.rows()) before_[n++].words[0] = row;
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

  /// `nodes`, and all that is before one of them.
  Set down_closure(const Set& nodes) {
    Set closure = nodes;
    nodes.for_each([&](int n) { closure |= before(n); });
    return closure;
  }

  /// What is before each of `nodes`.
  Set common(const Set& nodes) {
    Set all;
    all.words.fill(~std::uint64_t{0});
    nodes.for_each([&](int n) { all &= before(n); });
    return all;
  }

  /// Puts all of `from` before all of `to`. False: that closes a cycle.
  bool add_edges(const Set& from, const Set& to) {
    if (from.is_empty() || to.is_empty() || from.is_within(common(to))) return true;
    const Set learned = down_closure(from);
    if (learned.meets(to)) return false;
    to.for_each([&](int n) { before(n) |= learned; });
    for (Set& row : before_)
      if (row.meets(to)) row |= learned;
    return true;
  }

  // --- positions -------------------------------------------------------------------------------------------------------------

  void collect_positions(const ExecutionGraph& graph) {
    positions_.clear();
    groups_.clear();
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
    positions_.emplace_back().write = initial_write(location);
    for (Slot at = graph.last_write(location); at != kNone; at = graph.event(at).previous_at_location) {
      if (graph.event(at).chain_head == kNone) continue;  // an RMW's write that found its place taken
      index_[static_cast<std::size_t>(number(at))] = positions_.size();
      positions_.emplace_back().write = at;
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
    if (kept > first) groups_.push_back({first, kept});
  }

  /// Reads the forced order off the graph.
  void update_order(const ExecutionGraph& graph) {
    for (const Group& group : groups_) {
      const std::size_t reach = std::min(group.end, group.first + 64);
      for (std::size_t j = group.first; j < group.end; ++j) positions_[j].earlier = positions_[j].later = 0;
      for (std::size_t j = group.first; j < group.end; ++j)
        for (std::size_t i = group.first; i < std::min(j, reach); ++i) order_pair(graph, group, i, j);
    }
  }

  void order_pair(const ExecutionGraph& graph, const Group& group, std::size_t i, std::size_t j) {
    Position &a = positions_[i], &b = positions_[j];
    const std::uint64_t a_bit = std::uint64_t{1} << (i - group.first);
    const std::uint64_t b_bit = j - group.first < 64 ? std::uint64_t{1} << (j - group.first) : 0;
    if (forced_before(graph, a.write, b.write)) {
      b.earlier |= a_bit;
      a.later |= b_bit;
    } else if (forced_before(graph, b.write, a.write)) {
      b.later |= a_bit;
      a.earlier |= b_bit;
    }
  }

  /// Whether the order, when it was read, put position `a` before `b`.
  bool is_before(const ExecutionGraph& graph, const Group& group, std::size_t a, std::size_t b) const {
    if (a - group.first < 64) return (positions_[b].earlier >> (a - group.first) & 1) != 0;
    return a != b && forced_before(graph, positions_[a].write, positions_[b].write);
  }

  template <class Visit>
  void for_each_earlier(const ExecutionGraph& graph, const Group& group, std::size_t b, Visit&& visit) const {
    for (std::uint64_t rest = positions_[b].earlier; rest != 0; rest &= rest - 1)
      visit(positions_[group.first + static_cast<std::size_t>(std::countr_zero(rest))]);
    for (std::size_t a = group.first + 64; a < group.end; ++a)
      if (is_before(graph, group, a, b)) visit(positions_[a]);
  }

  // --- edges by modification order -------------------------------------------------------------------------------------------

  bool add_forced_edges(const ExecutionGraph& graph) {
    update_order(graph);
    for (const Group& group : groups_)
      for (std::size_t i = group.first; i < group.end; ++i) {
        const Position& b = positions_[i];
        Set left, left_fences;
        for_each_earlier(graph, group, i, [&](const Position& a) {
          left |= a.left;
          left_fences |= a.left_fences;
        });
        if (!add_edges(b.from, b.into) || !add_edges(left, b.right) || !add_edges(left_fences, b.right_fences)) return false;
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
    return !a.left.is_within(common(b.right)) || !a.left_fences.is_within(common(b.right_fences));
  }

  /// Pairs that were open when the order was read; `visit` may have ordered some of them meanwhile.
  template <class Visit>
  bool for_each_open_pair(const ExecutionGraph& graph, Visit&& visit) {
    for (const Group& group : groups_)
      for (std::size_t i = group.first; i < group.end; ++i) {
        const std::size_t reach = i - group.first < 64 ? std::min(group.end, group.first + 64) : i + 1;
        if (i + 1 < reach) {
          std::uint64_t open = ~(positions_[i].earlier | positions_[i].later) & ~std::uint64_t{0} >> (64 - (reach - group.first));
          for (open &= ~std::uint64_t{1} << (i - group.first); open != 0; open &= open - 1)
            if (!visit(positions_[i], positions_[group.first + static_cast<std::size_t>(std::countr_zero(open))])) return false;
        }
        for (std::size_t j = reach; j < group.end; ++j)
          if (!is_before(graph, group, i, j) && !is_before(graph, group, j, i) && !visit(positions_[i], positions_[j])) return false;
      }
    return true;
  }

  /// All that is forced. False: inconsistent.
  bool propagate(ExecutionGraph& graph) {
    for (bool forced = true; forced;) {
      forced = false;
      if (!add_forced_edges(graph)) return false;
      for (Position& p : positions_) p.below = down_closure(p.left);
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
    if (first == kNone) return found_witness(graph);
    if (guess(graph)) return true;
    return try_order(graph, first, second) || try_order(graph, second, first);
  }

  /// Any modification order that extends the forced one, as it is now, satisfies the axiom.
  bool found_witness(const ExecutionGraph& graph) {
    if (!wants_witness_) return true;
    sizes_.clear();
    for (const Set& row : before_) sizes_.push_back(row.size());
    witness_ = builder_.build(graph, sizes_);
    return true;
  }

  /// Orders all open pairs at once, along the relation as it is now. If that is consistent, no search is needed.
  bool guess(ExecutionGraph& graph) {
    save();
    const std::uint32_t mark = graph.mark();
    for_each_open_pair(graph, [&](const Position& a, const Position& b) {
      const bool a_first = a.below.size() < b.below.size();
      force_before(graph, a_first ? a.write : b.write, a_first ? b.write : a.write);
      return true;
    });
    const bool found = add_forced_edges(graph) && found_witness(graph);
    graph.undo(mark);
    restore();
    return found;
  }

  void save() {
    if (saved_.size() <= depth_) saved_.emplace_back();
    saved_[depth_++] = before_;
  }
  void restore() { before_.swap(saved_[--depth_]); }

  bool try_order(ExecutionGraph& graph, Slot a, Slot b) {
    save();
    const std::uint32_t mark = graph.mark();
    const bool found = force_before(graph, a, b) && search(graph);
    graph.undo(mark);
    restore();
    return found;
  }

  SeqCstRules rules_;
  std::vector<Set> before_;         // node → nodes before it
  std::deque<std::vector<Set>> saved_;  // the relations to go back to; `depth_` are in use
  std::size_t depth_ = 0;
  std::vector<int> fences_;         // nodes that are fences
  std::vector<Position> positions_; // by location
  std::vector<Group> groups_;
  std::vector<std::size_t> index_;  // slot of a write → its position
  std::vector<int> found_;
  std::vector<std::uint64_t> rows_;
  bool wants_witness_ = false;
  std::vector<int> sizes_;
  WitnessBuilder builder_;
  std::span<const InWitness> witness_;  // the one found
};

}  // namespace ordeal::model
