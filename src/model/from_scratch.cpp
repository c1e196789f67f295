#include "model/from_scratch.h"

#include <algorithm>
#include <vector>

#include "model/acyclic.h"
#include "model/coherence.h"
#include "model/happens_before.h"
#include "model/seq_cst_edges.h"

namespace ordeal::model {
namespace {

std::vector<ClockEntry> all_rows(const ExecutionGraph& graph) {
  std::vector<ClockEntry> rows;
  for (int i = 0; i < graph.size(); ++i) rows.insert(rows.end(), graph.row(Slot{i}, Row{0}), graph.row(Slot{i}, Row{0}) + kRows * graph.width());
  return rows;
}

bool slots_respect_happens_before(const ExecutionGraph& graph) {
  for (int i = 0; i < graph.size(); ++i)
    for (int j = i + 1; j < graph.size(); ++j)
      if (graph.happens_before(Slot{j}, Slot{i})) return false;
  return true;
}

/// One location: its writes as a matrix of "must be before".
class Constraints {
 public:
  Constraints(ExecutionGraph& graph, LocationId location) : graph_(graph), location_(location) {
    for (Slot at = graph.last_write(location); at != kNone; at = graph.event(at).previous_at_location) writes_.push_back(at);
    for (Slot at = graph.last_read(location); at != kNone; at = graph.event(at).previous_at_location)
      if (graph.event(at).rf != kNone) reads_.push_back(at);
    std::reverse(writes_.begin(), writes_.end());
  }

  bool apply() {
    if (!find_chains()) return false;
    const std::size_t n = writes_.size();
    before_.assign(n * n, 0);
    std::vector<Slot> accesses = writes_;
    accesses.insert(accesses.end(), reads_.begin(), reads_.end());
    for (const Slot e : accesses)
      for (const Slot f : accesses)
        if (e != f && graph_.happens_before(e, f) && !add(e, f)) return false;
    close();
    for (std::size_t i = 0; i < n; ++i)
      if (before(i, i)) return false;
    fill_rows();
    return true;
  }

 private:
  std::size_t index_of(Slot write) const { return static_cast<std::size_t>(std::find(writes_.begin(), writes_.end(), write) - writes_.begin()); }
  char& before(std::size_t a, std::size_t b) { return before_[a * writes_.size() + b]; }

  /// A write can be built upon once, and chains begin somewhere.
  bool find_chains() {
    graph_.event(initial_write(location_)).chain_tail = initial_write(location_);
    graph_.forget_chains(location_);
    for (const Slot write : writes_) graph_.event(write).chain_head = kNone;
    for (const Slot write : writes_) {
      Slot at = write;
      int position = 0;
      while (number(at) >= 0 && graph_.event(at).is_rmw && graph_.event(at).rf != kNone) {
        at = graph_.event(at).rf;
        if (++position > static_cast<int>(writes_.size())) return false;
      }
      Event& event = graph_.event(write);
      event.chain_head = at;
      if (at == write) graph_.note_chain(location_);
      event.chain_position = position;
      event.chain_tail = write;
    }
    for (const Slot a : writes_)
      for (const Slot b : writes_) {
        const Event &first = graph_.event(a), &second = graph_.event(b);
        if (first.chain_head != second.chain_head || a == b) continue;
        if (first.chain_position == second.chain_position) return false;
      }
    for (const Slot write : writes_) {
      const Event& event = graph_.event(write);
      Event& first = graph_.event(event.chain_head);
      if (event.chain_position > graph_.event(first.chain_tail).chain_position) first.chain_tail = write;
    }
    return true;
  }

  /// e happens before f: position(e) is before or at position(f).
  bool add(Slot e, Slot f) {
    const Slot a = position_of(graph_, e), b = position_of(graph_, f);
    if (a == b) return graph_.event(e).kind == EventKind::kWrite || graph_.event(f).kind == EventKind::kRead;  // r hb rf(r)
    if (is_initial(a)) return true;
    if (is_initial(b)) return false;
    const Event &first = graph_.event(a), &second = graph_.event(b);
    if (first.chain_head == second.chain_head) return first.chain_position < second.chain_position;
    if (is_initial(first.chain_head)) return true;
    if (is_initial(second.chain_head)) return false;
    before(index_of(first.chain_head), index_of(second.chain_head)) = 1;
    return true;
  }

  void close() {
    for (std::size_t k = 0; k < writes_.size(); ++k)
      for (std::size_t i = 0; i < writes_.size(); ++i)
        for (std::size_t j = 0; j < writes_.size(); ++j)
          if (before(i, k) && before(k, j)) before(i, j) = 1;
  }

  void fill_rows() {
    const auto include = [&](Slot chain, const Event& write) {
      ClockEntry& entry = graph_.row(chain, Row::kMo)[number(write.thread)];
      entry = std::max(entry, write.ordinal + 1);
    };
    base::clear(graph_.row(initial_write(location_), Row::kMo), graph_.width());
    for (const Slot write : writes_) base::clear(graph_.row(write, Row::kMo), graph_.width());
    for (const Slot write : writes_) {
      const Event& event = graph_.event(write);
      include(event.chain_head, event);
      for (std::size_t i = 0; i < writes_.size(); ++i) {
        if (graph_.event(writes_[i]).chain_head != writes_[i]) continue;
        if (is_initial(event.chain_head) || before(index_of(event.chain_head), i)) include(writes_[i], event);
      }
    }
  }

  ExecutionGraph& graph_;
  LocationId location_;
  std::vector<Slot> writes_, reads_;
  std::vector<char> before_;
};

}  // namespace

bool recompute_clocks(ExecutionGraph& graph) {
  for (;;) {
    const std::vector<ClockEntry> old = all_rows(graph);
    for (int i = 0; i < graph.size(); ++i) compute_happens_before(graph, Slot{i});
    graph.shb_valid = 0;
    graph.seq_cst_relations.forget_above(0);
    extend_strongly_happens_before(graph);
    if (all_rows(graph) == old) break;
  }
  return slots_respect_happens_before(graph);
}

bool recompute_modification_order(ExecutionGraph& graph) {
  for (int l = 0; l < graph.locations(); ++l)
    if (!Constraints(graph, LocationId{l}).apply()) return false;
  return true;
}

bool is_porf_acyclic(const ExecutionGraph& graph) {
  EdgeList edges;
  edges.start(graph.size());
  for (int i = 0; i < graph.size(); ++i) {
    const Event& event = graph.event(Slot{i});
    if (event.previous != kNone) edges.add(number(event.previous), i);
    else if (graph.creation_of(event.thread) != kNone) edges.add(number(graph.creation_of(event.thread)), i);
    if ((event.kind == EventKind::kRead || event.kind == EventKind::kWake) && number(event.rf) >= 0) edges.add(number(event.rf), i);
    if (event.kind == EventKind::kJoin && graph.last_of(event.access.other) != kNone) edges.add(number(graph.last_of(event.access.other)), i);
  }
  return edges.is_acyclic();
}

}  // namespace ordeal::model
