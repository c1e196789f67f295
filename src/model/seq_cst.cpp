#include "model/seq_cst.h"

#include <algorithm>
#include <bit>

#include "model/coherence.h"

namespace ordeal::model {
namespace {

template <class Visit>
void for_each_bit(const std::uint64_t* row, std::size_t words, Visit&& visit) {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = row[w]; bits != 0; bits &= bits - 1)
      visit(static_cast<int>(w * 64) + std::countr_zero(bits));
}

void set_bit(std::uint64_t* row, int bit) { row[bit / 64] |= std::uint64_t{1} << (bit % 64); }
bool has_bit(const std::uint64_t* row, int bit) { return (row[bit / 64] >> (bit % 64) & 1) != 0; }

/// The last seq_cst event of `thread` with an index below `bound` that `accept`s.
template <class Accept>
Slot last_seq_cst_below(const ExecutionGraph& graph, ThreadId thread, ClockEntry bound, Accept&& accept) {
  Slot at = graph.last_seq_cst(thread);
  while (at != kNone && (graph.event(at).index >= bound || !accept(graph.event(at)))) at = graph.event(at).previous_sc;
  return at;
}

bool is_fence(const Event& event) { return event.kind == EventKind::kFence; }

/// The last access of `thread` to `location` with an index below `bound`.
Slot last_access_below(const ExecutionGraph& graph, LocationId location, ThreadId thread, ClockEntry bound) {
  Slot at = graph.last_here(location, thread);
  while (at != kNone && graph.event(at).index >= bound) at = graph.event(at).previous_here;
  return at;
}

Slot event_at(const ExecutionGraph& graph, ThreadId thread, int index) {
  Slot at = graph.last_of(thread);
  while (graph.event(at).index > index) at = graph.event(at).previous;
  return at;
}

}  // namespace

bool SeqCst::consistent(ExecutionGraph& graph) {
  if (graph.seq_cst_events().size() < 2) return true;
  if (rules_ == SeqCstRules::kCpp20) extend_strongly_happens_before(graph);
  nodes_ = static_cast<int>(graph.seq_cst_events().size());
  words_ = (static_cast<std::size_t>(nodes_) + 63) / 64;
  collect_fixed(graph);
  collect_positions(graph);
  return search(graph);
}

// --- strongly happens before ---------------------------------------------------------------------------------------------

void extend_strongly_happens_before(ExecutionGraph& graph) {
  const int width = graph.width();
  for (; graph.shb_valid < graph.size(); ++graph.shb_valid) {
    const Slot slot{graph.shb_valid};
    const Event& event = graph.event(slot);
    ClockEntry* shb = graph.row(slot, Row::kShb);
    const auto learn_through_hb = [&](Slot z) {
      // x po' y hb z po' slot: of each thread all before the last event y that happens before z, but if y is the write
      // of an RMW, its read is not po'-before it.
      const ClockEntry* hb = graph.row(z, Row::kHb);
      for (int t = 0; t < graph.threads(); ++t) {
        if (t == number(event.thread) || hb[t] == 0) continue;
        const Event& y = graph.event(event_at(graph, ThreadId{t}, hb[t] - 1));
        const bool inner = y.kind == EventKind::kWrite && y.is_rmw;
        shb[t] = std::max(shb[t], hb[t] - (inner ? 2 : 1));
      }
    };
    const Slot before = event.previous != kNone ? event.previous : graph.creation_of(event.thread);
    if (before == kNone) {
      base::clear(shb, width);
    } else {
      base::copy(shb, graph.row(before, Row::kShb), width);
      const bool inner = event.kind == EventKind::kWrite && event.is_rmw;
      if (!inner) learn_through_hb(before);
    }
    shb[number(event.thread)] = event.index + 1;
    if (is_seq_cst(event) && event.kind == EventKind::kRead && number(event.rf) >= 0)
      base::join(shb, graph.row(event.rf, Row::kReleaseShb), width);
    if (event.sc_fence == slot) {  // [SC];sw;[SC] into a fence, through the reads before it
      for (Slot at = event.previous; at != kNone; at = graph.event(at).previous) {
        const Event& read = graph.event(at);
        if (read.kind == EventKind::kRead && read.order != MemoryOrder::kPlain && number(read.rf) >= 0)
          base::join(shb, graph.row(read.rf, Row::kReleaseShb), width);
        if (read.sc_fence == at) break;
      }
    }
    if (event.kind != EventKind::kWrite) continue;
    ClockEntry* release = graph.row(slot, Row::kReleaseShb);
    if (is_seq_cst(event)) base::copy(release, shb, width);
    else if (event.sc_fence != kNone && event.order != MemoryOrder::kPlain) base::copy(release, graph.row(event.sc_fence, Row::kShb), width);
    else base::clear(release, width);
    if (event.is_rmw && number(event.rf) >= 0) base::join(release, graph.row(event.rf, Row::kReleaseShb), width);
  }
}

// --- fixed edges -----------------------------------------------------------------------------------------------------------

void SeqCst::collect_fixed(const ExecutionGraph& graph) {
  fixed_.clear();
  fixed_begin_.clear();
  fences_.clear();
  for (const Slot node : graph.seq_cst_events()) {
    const Event& event = graph.event(node);
    fixed_begin_.push_back(static_cast<int>(fixed_.size()));
    if (event.previous_sc != kNone) fixed_.push_back(graph.event(event.previous_sc).sc_index);
    if (is_fence(event)) fences_.push_back(event.sc_index);
    if (rules_ == SeqCstRules::kCpp20) fixed_predecessors_cpp20(graph, node);
    else if (is_fence(event)) fixed_predecessors_rc11_fence(graph, node);
    else fixed_predecessors_rc11_access(graph, node);
  }
  fixed_begin_.push_back(static_cast<int>(fixed_.size()));
  // Fixed edges lead to higher slots, so one pass closes over them.
  pred_.assign(static_cast<std::size_t>(nodes_) * words_, 0);
  for (int n = 0; n < nodes_; ++n)
    for (int i = fixed_begin_[static_cast<std::size_t>(n)]; i < fixed_begin_[static_cast<std::size_t>(n) + 1]; ++i) {
      const int p = fixed_[static_cast<std::size_t>(i)];
      for (std::size_t w = 0; w < words_; ++w) pred(n)[w] |= pred(p)[w];
      set_bit(pred(n), p);
    }
}

void SeqCst::fixed_predecessors_cpp20(const ExecutionGraph& graph, Slot node) {
  const Event& event = graph.event(node);
  const ClockEntry* shb = graph.row(node, Row::kShb);
  for (int t = 0; t < graph.threads(); ++t) {
    if (shb[t] == 0 || t == number(event.thread)) continue;
    const Slot before = last_seq_cst_below(graph, ThreadId{t}, shb[t], [](const Event&) { return true; });
    if (before != kNone) fixed_.push_back(graph.event(before).sc_index);
  }
}

/// Into a seq_cst access e, from thread t (po orders the nodes of t, so the last one is enough):
///   a fence F   with F hb e' po e, or F hb e' hb e and e' at e's location;
///   an access s with s po≠loc x hb y po≠loc e, or s hb e at the same location.
void SeqCst::fixed_predecessors_rc11_access(const ExecutionGraph& graph, Slot node) {
  const Event& event = graph.event(node);
  const ClockEntry* hb = graph.row(node, Row::kHb);
  const ClockEntry* hb_before = event.previous != kNone ? graph.row(event.previous, Row::kHb) : nullptr;
  Slot elsewhere = event.previous;  // y: the last event before e at another location
  while (elsewhere != kNone && graph.event(elsewhere).location == event.location) elsewhere = graph.event(elsewhere).previous;
  const ClockEntry* hb_elsewhere = elsewhere != kNone ? graph.row(elsewhere, Row::kHb) : nullptr;
  for (int t = 0; t < graph.threads(); ++t) {
    if (t == number(event.thread) || hb[t] == 0) continue;
    ClockEntry fence_bound = hb_before != nullptr ? hb_before[t] : 0;
    for (int u = 0; u < graph.threads(); ++u) {
      const Slot here = u == number(event.thread) ? event.previous_here : last_access_below(graph, event.location, ThreadId{u}, hb[u]);
      if (here != kNone) fence_bound = std::max(fence_bound, graph.row(here, Row::kHb)[t]);
    }
    Slot best = last_seq_cst_below(graph, ThreadId{t}, fence_bound, is_fence);
    const auto offer = [&](Slot slot) {
      if (slot != kNone && (best == kNone || graph.event(slot).index > graph.event(best).index)) best = slot;
    };
    offer(last_seq_cst_below(graph, ThreadId{t}, hb[t],
                             [&](const Event& s) { return !is_fence(s) && s.location == event.location; }));
    if (hb_elsewhere != nullptr && hb_elsewhere[t] > 0) {
      Slot at = event_at(graph, ThreadId{t}, hb_elsewhere[t] - 1);
      const LocationId last_location = graph.event(at).location;
      bool differs = is_fence(graph.event(at));
      for (at = graph.event(at).previous; at != kNone; at = graph.event(at).previous) {
        const Event& s = graph.event(at);
        if (is_seq_cst(s) && !is_fence(s) && (differs || s.location != last_location)) break;
        if (s.location != last_location) differs = true;
      }
      offer(at);
    }
    if (best != kNone) fixed_.push_back(graph.event(best).sc_index);
  }
}

/// Into a seq_cst fence F, from thread t: a fence that happens before it; an access s with s po f' hb F, or s hb f' hb F
/// where f' is at s's location.
void SeqCst::fixed_predecessors_rc11_fence(const ExecutionGraph& graph, Slot node) {
  const Event& event = graph.event(node);
  const ClockEntry* hb = graph.row(node, Row::kHb);
  for (int t = 0; t < graph.threads(); ++t) {
    if (t == number(event.thread) || hb[t] == 0) continue;
    const Slot before = last_seq_cst_below(graph, ThreadId{t}, hb[t], [&](const Event& s) {
      if (is_fence(s) || s.index + 1 < hb[t]) return true;
      for (int u = 0; u < graph.threads(); ++u) {
        if (u == t) continue;
        const Slot here = last_access_below(graph, s.location, ThreadId{u}, hb[u]);
        if (here != kNone && graph.row(here, Row::kHb)[t] > s.index) return true;
      }
      return false;
    });
    if (before != kNone) fixed_.push_back(graph.event(before).sc_index);
  }
}

// --- positions: what stands before and after each write -------------------------------------------------------------------

void SeqCst::collect_positions(const ExecutionGraph& graph) {
  positions_.clear();
  sets_.clear();
  for (int l = 0; l < graph.locations(); ++l) {
    const LocationId location{l};
    if (graph.seq_cst_fences() == 0 && graph.seq_cst_accesses_at(location) == 0) continue;
    collect_location(graph, location);
  }
}

void SeqCst::collect_location(const ExecutionGraph& graph, LocationId location) {
  const std::size_t first = positions_.size();
  const auto add_position = [&](Slot write) {
    positions_.push_back({write, location, static_cast<int>(sets_.size() / words_), false, false});
    sets_.resize(sets_.size() + kSets * words_, 0);
  };
  add_position(initial_write(location));
  for (Slot at = graph.last_write(location); at != kNone; at = graph.event(at).previous_at_location) {
    if (graph.event(at).chain_head == kNone) continue;  // an RMW write that found its place taken
    add_position(at);
    add_access(graph, static_cast<int>(positions_.size()) - 1, at);
  }
  for (Slot at = graph.last_read(location); at != kNone; at = graph.event(at).previous_at_location) {
    if (graph.event(at).rf == kNone) continue;  // a promise
    std::size_t p = first;
    while (positions_[p].write != graph.event(at).rf) ++p;
    add_access(graph, static_cast<int>(p), at);
  }
  std::size_t kept = first;
  for (std::size_t p = first; p < positions_.size(); ++p)
    if (positions_[p].has_left || positions_[p].has_right) positions_[kept++] = positions_[p];
  positions_.resize(kept);
}

void SeqCst::add_access(const ExecutionGraph& graph, int index, Slot access) {
  Position& position = positions_[static_cast<std::size_t>(index)];
  const Event& event = graph.event(access);
  const bool is_write = event.kind == EventKind::kWrite;
  const int base = position.first_set;
  if (event.sc_index >= 0) {
    set_bit(set(base + (is_write ? kLeftOfWrite : kLeftOfReads)), event.sc_index);
    set_bit(set(base + (is_write ? kRightOfWrite : kRightOfReads)), event.sc_index);
    position.has_left = position.has_right = true;
  }
  for (const int n : fences_) {
    const Slot fence = graph.seq_cst_events()[static_cast<std::size_t>(n)];
    if (graph.happens_before(fence, access)) {
      set_bit(set(base + (is_write ? kLeftOfWrite : kLeftOfReads)), n);
      set_bit(set(base + (is_write ? kFencesLeftOfWrite : kFencesLeftOfReads)), n);
      position.has_left = true;
    } else if (graph.happens_before(access, fence)) {
      set_bit(set(base + (is_write ? kRightOfWrite : kRightOfReads)), n);
      if (!is_write) set_bit(set(base + kFencesRightOfReads), n);
      position.has_right = true;
    }
  }
}

// --- edges by modification order ---------------------------------------------------------------------------------------------

bool SeqCst::is_empty(const Word* row) const {
  for (std::size_t w = 0; w < words_; ++w)
    if (row[w] != 0) return false;
  return true;
}

void SeqCst::add_edge(int from, int to) {
  if (!is_empty(set(from)) && !is_empty(set(to))) edges_.push_back({from, to});
}

void SeqCst::add_edges(const Position& before, const Position& after) {
  const int l = before.first_set, r = after.first_set;
  for (const Set left : {kLeftOfWrite, kLeftOfReads}) add_edge(l + left, r + kRightOfWrite);
  if (rules_ == SeqCstRules::kCpp20) {  // eco: also into reads
    for (const Set left : {kLeftOfWrite, kLeftOfReads}) add_edge(l + left, r + kRightOfReads);
  } else {  // scb has mo and fr only; psc_fence has eco
    for (const Set left : {kFencesLeftOfWrite, kFencesLeftOfReads}) add_edge(l + left, r + kFencesRightOfReads);
  }
}

void SeqCst::collect_edges(const ExecutionGraph& graph) {
  edges_.clear();
  for (const Position& b : positions_) {
    // rf: from the write to its reads
    if (rules_ == SeqCstRules::kCpp20) add_edge(b.first_set + kLeftOfWrite, b.first_set + kRightOfReads);
    else add_edge(b.first_set + kFencesLeftOfWrite, b.first_set + kFencesRightOfReads);
    if (!b.has_right) continue;
    for (const Position& a : positions_)
      if (a.has_left && a.location == b.location && a.write != b.write && forced_before(graph, a.write, b.write))
        add_edges(a, b);
  }
}

bool SeqCst::close() {
  scratch_.resize(words_);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Edge& edge : edges_) {
      std::fill(scratch_.begin(), scratch_.end(), 0);
      for_each_bit(set(edge.from), words_, [&](int n) {
        for (std::size_t w = 0; w < words_; ++w) scratch_[w] |= pred(n)[w];
        set_bit(scratch_.data(), n);
      });
      for_each_bit(set(edge.to), words_, [&](int n) {
        for (std::size_t w = 0; w < words_; ++w) {
          changed |= (scratch_[w] & ~pred(n)[w]) != 0;
          pred(n)[w] |= scratch_[w];
        }
      });
    }
    if (!changed) break;
    for (int n = 0; n < nodes_; ++n) {
      for (int i = fixed_begin_[static_cast<std::size_t>(n)]; i < fixed_begin_[static_cast<std::size_t>(n) + 1]; ++i) {
        const int p = fixed_[static_cast<std::size_t>(i)];
        for (std::size_t w = 0; w < words_; ++w) pred(n)[w] |= pred(p)[w];
      }
      if (has_bit(pred(n), n)) return false;
    }
  }
  return true;
}

// --- open pairs ----------------------------------------------------------------------------------------------------------------

bool SeqCst::test_edge(int from, int to, bool& adds) {
  bool cycle = false;
  for_each_bit(set(from), words_, [&](int x) {
    for_each_bit(set(to), words_, [&](int y) {
      if (x == y || has_bit(pred(x), y)) cycle = true;
      if (x != y && !has_bit(pred(y), x)) adds = true;
    });
  });
  return cycle;
}

bool SeqCst::would_cycle(const Position& before, const Position& after, bool& adds) {
  const int l = before.first_set, r = after.first_set;
  bool cycle = false;
  for (const Set left : {kLeftOfWrite, kLeftOfReads}) {
    cycle |= test_edge(l + left, r + kRightOfWrite, adds);
    if (rules_ == SeqCstRules::kCpp20) cycle |= test_edge(l + left, r + kRightOfReads, adds);
  }
  if (rules_ == SeqCstRules::kRc11)
    for (const Set left : {kFencesLeftOfWrite, kFencesLeftOfReads}) cycle |= test_edge(l + left, r + kFencesRightOfReads, adds);
  return cycle;
}

bool SeqCst::propagate(ExecutionGraph& graph) {
  for (bool forced = true; forced;) {
    forced = false;
    collect_edges(graph);
    if (!close()) return false;
    for (std::size_t i = 0; i < positions_.size(); ++i)
      for (std::size_t j = i + 1; j < positions_.size() && positions_[j].location == positions_[i].location; ++j) {
        const Position &a = positions_[i], &b = positions_[j];
        if (forced_before(graph, a.write, b.write) || forced_before(graph, b.write, a.write)) continue;
        bool adds = false;
        const bool not_ab = would_cycle(a, b, adds), not_ba = would_cycle(b, a, adds);
        if (not_ab && not_ba) return false;
        if (not_ab && !force_before(graph, b.write, a.write)) return false;
        if (not_ba && !force_before(graph, a.write, b.write)) return false;
        forced |= not_ab || not_ba;
      }
  }
  return true;
}

bool SeqCst::search(ExecutionGraph& graph) {
  if (!propagate(graph)) return false;
  for (std::size_t i = 0; i < positions_.size(); ++i)
    for (std::size_t j = i + 1; j < positions_.size() && positions_[j].location == positions_[i].location; ++j) {
      const Slot a = positions_[i].write, b = positions_[j].write;
      if (forced_before(graph, a, b) || forced_before(graph, b, a)) continue;
      bool adds = false;
      would_cycle(positions_[i], positions_[j], adds);
      would_cycle(positions_[j], positions_[i], adds);
      if (!adds) continue;
      const std::vector<Word> saved = pred_;
      const std::uint32_t mark = graph.mark();
      bool found = false;
      for (const bool a_first : {false, true}) {
        found = force_before(graph, a_first ? a : b, a_first ? b : a) && search(graph);
        graph.undo(mark);
        pred_ = saved;
        if (found) return true;
      }
      return false;
    }
  return true;
}

}  // namespace ordeal::model
