#include "model/seq_cst_witness.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "model/modification_order.h"

namespace ordeal::model {
namespace {

constexpr std::int32_t kGap = 1 << 12;  // between neighbours at first: room for those that come later
constexpr std::int32_t kEnd = std::numeric_limits<std::int32_t>::max() - 2 * kGap;

/// The highest rank of what leads to the event.
std::int32_t reach_before(const ExecutionGraph& graph, std::span<const InWitness> witness, const Event& event) {
  const auto reach = [&](Slot slot) { return number(slot) < 0 ? 0 : witness[static_cast<std::size_t>(number(slot))].reach; };
  std::int32_t highest = reach(event.previous != kNone ? event.previous : graph.creation_of(event.thread));
  highest = std::max(highest, reach(event.rf));
  if (event.kind == EventKind::kJoin) {
    // The thread has ended: it has no further events. One that had none knows what its creator knew.
    highest = std::max(highest, reach(graph.last_of(event.access.other)));
    highest = std::max(highest, reach(graph.creation_of(event.access.other)));
  }
  return highest;
}

/// What follows from the ranks of the seq_cst events.
void rank_the_rest(const ExecutionGraph& graph, std::span<InWitness> witness) {
  std::int32_t highest = 0;
  for (std::size_t i = 0; i < witness.size(); ++i) {
    witness[i].reach = std::max(witness[i].rank, reach_before(graph, witness, graph.event(Slot{static_cast<int>(i)})));
    witness[i].highest = highest = std::max(highest, witness[i].rank);
  }
}

}  // namespace

/// One more event.
class SeqCstWitness::Step {
 public:
  Step(SeqCstWitness& scratch, ExecutionGraph& graph, Slot slot)
      : scratch_(scratch),
        rules_(scratch.rules_),
        graph_(graph),
        witness_(graph.seq_cst_relations.witness()),
        slot_(slot),
        event_(graph.event(slot)) {}

  bool fits() {
    const bool is_write = event_.kind == EventKind::kWrite, is_node = is_seq_cst(event_);
    InWitness added;
    added.reach = reach_before(graph_, witness_, event_);
    Bounds bounds{0, kEnd};
    if (is_access(event_)) {
      if (!is_write && event_.rf == kNone) return false;  // a promise
      if ((!is_write || is_node || event_.is_rmw) && !look_at_writes(bounds)) return false;
      if (is_node && !look_at_reads(bounds)) return false;
      if (is_write) added.place = number(slot_) + 1;
    }
    added.highest = witness_.empty() ? 0 : witness_.back().highest;
    if (is_node) {
      if (graph_.seq_cst_fences() > 0) bounds.above(added.highest);
      else bounds.above(added.reach);
      if (bounds.high - bounds.low < 2) {
        scratch_.lacks_room_ = bounds.high != kEnd;  // with fences nothing comes after it, so never
        scratch_.bounds_ = bounds;
        return false;
      }
      added.rank = bounds.high == kEnd ? bounds.low + kGap : bounds.low + (bounds.high - bounds.low) / 2;
      added.reach = added.rank;
      added.highest = std::max(added.highest, added.rank);
    }
    graph_.seq_cst_relations.add(added);
    return true;
  }

  /// The read comes before accesses with ranks from `bounds.high`, and behind some up to `bounds.low`. The former are moved above the
  /// latter, together with all behind them. False: the read is behind one of them itself.
  bool move_up(Bounds bounds) {
    constexpr auto kNever = std::numeric_limits<std::int32_t>::max();
    scratch_.first_moved_.assign(static_cast<std::size_t>(graph_.width()), kNever);
    scratch_.least_place_.assign(static_cast<std::size_t>(graph_.locations()), kNever);
    std::vector<Slot>& moved = scratch_.moved_;
    moved.clear();
    for (const Slot node : graph_.seq_cst_events()) {
      if (number(node) >= number(slot_) || at(node).rank < bounds.high || at(node).rank > bounds.low) continue;
      if (graph_.event(node).kind == EventKind::kRead && graph_.event(node).rf == kNone) return false;  // a promise
      moved.push_back(node);
    }
    std::sort(moved.begin(), moved.end(), [&](Slot a, Slot b) { return at(a).rank < at(b).rank; });
    const std::int32_t here = place(event_.rf), up = bounds.low - bounds.high + 2 * kGap;
    std::erase_if(moved, [&](Slot node) { return !moves(node, here); });
    if (is_behind_moved(slot_, here) || witness_.back().highest >= kEnd - up) return false;
    scratch_.moved_up_.assign(witness_.begin(), witness_.end());
    for (const Slot node : moved) scratch_.moved_up_[static_cast<std::size_t>(number(node))].rank += up;
    for (const Slot node : graph_.seq_cst_events())
      if (number(node) < number(slot_) && at(node).rank > bounds.low) scratch_.moved_up_[static_cast<std::size_t>(number(node))].rank += up;
    scratch_.moved_up_.emplace_back().rank = bounds.low + kGap;
    rank_the_rest(graph_, scratch_.moved_up_);
    graph_.seq_cst_relations.add(scratch_.moved_up_);
    return true;
  }

 private:
  const InWitness& at(Slot slot) const { return witness_[static_cast<std::size_t>(number(slot))]; }
  std::int32_t place(Slot write) const { return is_initial(write) ? 0 : at(write).place; }

  bool look_at_writes(Bounds& bounds) const {
    const bool is_store = event_.kind == EventKind::kWrite && !event_.is_rmw;
    const bool must_be_last = event_.kind == EventKind::kWrite || graph_.seq_cst_fences() > 0;
    const bool comes_after = event_.kind == EventKind::kWrite || rules_ == SeqCstRules::kCpp20;
    const std::int32_t here = is_store ? number(slot_) : place(event_.rf);
    for (Slot write = graph_.last_write(event_.location); write != kNone; write = graph_.event(write).previous_at_location) {
      if (number(write) >= number(slot_)) continue;
      const bool is_later = at(write).place > here;
      if (is_later && (must_be_last || forced_before(graph_, write, event_.rf))) return false;
      if (is_seq_cst(graph_.event(write))) {
        if (is_later) bounds.below(at(write).rank);
        else if (comes_after) bounds.above(at(write).rank);
      } else if (write == event_.rf && !is_seq_cst(event_) && number(write) >= graph_.seq_cst_relations.solved_size()) {
        return true;  // it came last: so did all others before it
      }
    }
    return true;
  }

  /// In rc11 a read comes after no read by modification order, and before none.
  bool look_at_reads(Bounds& bounds) const {
    const bool is_write = event_.kind == EventKind::kWrite;
    if (!is_write && rules_ == SeqCstRules::kRc11) return true;
    const std::int32_t here = is_write ? std::numeric_limits<std::int32_t>::max() : place(event_.rf);
    for (Slot read = graph_.last_read(event_.location); read != kNone; read = graph_.event(read).previous_at_location) {
      if (number(read) >= number(slot_)) continue;
      const Event& other = graph_.event(read);
      if (other.rf == kNone) return false;
      if (!is_seq_cst(other)) continue;
      const std::int32_t there = place(other.rf);
      if (there < here) bounds.above(at(read).rank);
      if (there > here) bounds.below(at(read).rank);
    }
    return true;
  }

  /// Whether the read, at `here`, comes before this node, or a moved one does. They are asked for by rank.
  bool moves(Slot node, std::int32_t here) {
    const Event& event = graph_.event(node);
    const std::int32_t there = event.kind == EventKind::kWrite ? at(node).place : place(event.rf);
    const bool comes_after = event.kind == EventKind::kWrite || rules_ == SeqCstRules::kCpp20;
    const bool is_later = comes_after && event.location == event_.location && there > here;
    if (!is_later && !is_behind_moved(node, there)) return false;
    ClockEntry& first = scratch_.first_moved_[static_cast<std::size_t>(number(event.thread))];
    first = std::min(first, event.index);
    std::int32_t& least = scratch_.least_place_[static_cast<std::size_t>(number(event.location))];
    least = std::min(least, there);
    return true;
  }

  /// Whether a moved event comes before this access at `here`.
  bool is_behind_moved(Slot access, std::int32_t here) const {
    const ClockEntry* porf = graph_.row(access, Row::kPorf);
    ClockEntry behind = 0;
    for (int t = 0; t < graph_.width(); ++t) behind |= scratch_.first_moved_[static_cast<std::size_t>(t)] < porf[t] ? 1 : 0;
    const Event& event = graph_.event(access);
    const bool comes_after = event.kind == EventKind::kWrite || rules_ == SeqCstRules::kCpp20;
    return behind != 0 || (comes_after && scratch_.least_place_[static_cast<std::size_t>(number(event.location))] < here);
  }

  SeqCstWitness& scratch_;
  SeqCstRules rules_;
  ExecutionGraph& graph_;
  std::span<const InWitness> witness_;
  Slot slot_;
  const Event& event_;
};

bool SeqCstWitness::extend(ExecutionGraph& graph) {
  lacks_room_ = false;
  while (graph.seq_cst_relations.size() < graph.size())
    if (!Step(*this, graph, Slot{graph.seq_cst_relations.size()}).fits()) return false;
  return true;
}

bool SeqCstWitness::make_room(ExecutionGraph& graph) {
  return lacks_room_ && Step(*this, graph, Slot{graph.seq_cst_relations.size()}).move_up(bounds_) && extend(graph);
}

std::span<const InWitness> WitnessBuilder::build(const ExecutionGraph& graph, std::span<const int> before) {
  events_.assign(static_cast<std::size_t>(graph.size()), InWitness{});
  for (std::size_t n = 0; n < before.size(); ++n) at(graph.seq_cst_events()[n]).rank = (before[n] + 1) * kGap;
  for (int l = 0; l < graph.locations(); ++l)
    if (graph.writes_at(LocationId{l}) > 0) order(graph, LocationId{l});
  rank_the_rest(graph, events_);
  return events_;
}

/// A chain that is forced before another has fewer writes before its end. Those that are not ordered go by slot.
void WitnessBuilder::order(const ExecutionGraph& graph, LocationId location) {
  const auto length = [&](Slot head) { return graph.event(graph.event(head).chain_tail).chain_position + 1; };
  chains_.clear();
  for_each_chain(graph, location, [&](Slot head) {
    const ClockEntry* row = graph.row(head, Row::kMo);
    chains_.push_back({std::accumulate(row, row + graph.threads(), 0), head, length(head)});
  });
  std::sort(chains_.begin(), chains_.end(), [](const Chain& a, const Chain& b) { return std::tie(a.writes, a.head) < std::tie(b.writes, b.head); });
  int next = length(initial_write(location));
  for (const Chain& chain : chains_) {
    at(chain.head).place = next;
    next += chain.length;
  }
  for (Slot write = graph.last_write(location); write != kNone; write = graph.event(write).previous_at_location) {
    const Event& event = graph.event(write);
    if (event.chain_head == kNone || event.chain_head == write) continue;
    at(write).place = (is_initial(event.chain_head) ? 0 : at(event.chain_head).place) + event.chain_position;
  }
}

}  // namespace ordeal::model
