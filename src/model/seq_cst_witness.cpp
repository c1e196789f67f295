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

}  // namespace

/// The new event's rank must be between these.
struct SeqCstWitness::Bounds {
  std::int32_t low = 0, high = kEnd;

  void above(std::int32_t rank) { low = std::max(low, rank); }
  void below(std::int32_t rank) { high = std::min(high, rank); }
};

bool SeqCstWitness::extend(ExecutionGraph& graph) {
  // In large graphs not every size is kept.
  const int step = 1 + graph.size() / 64, far = 64 + 2 * step;
  SeqCstRelations& known = graph.seq_cst_relations;
  const int size = known.size();
  if (graph.size() - size > far) return false;
  events_.assign(known.witness().begin(), known.witness().end());
  events_.resize(static_cast<std::size_t>(graph.size()));
  for (int i = size; i < graph.size(); ++i)
    if (!add(graph, Slot{i})) return false;
  if (graph.size() - size >= step) known.add(events_);
  return true;
}

bool SeqCstWitness::add(ExecutionGraph& graph, Slot slot) {
  const Event& event = graph.event(slot);
  Bounds bounds;
  if (is_access(event)) {
    const bool is_write = event.kind == EventKind::kWrite;
    if (!is_write && event.rf == kNone) return false;  // a promise
    if (!look_at_writes(graph, slot, bounds)) return false;
    if (is_seq_cst(event) && !look_at_reads(graph, slot, bounds)) return false;
    if (is_write) at(slot).place = number(slot) + 1;
  }
  return !is_seq_cst(event) || rank_between(graph, slot, bounds);
}

bool SeqCstWitness::look_at_writes(const ExecutionGraph& graph, Slot slot, Bounds& bounds) const {
  const Event& event = graph.event(slot);
  const bool is_store = event.kind == EventKind::kWrite && !event.is_rmw;
  const bool must_be_last = event.kind == EventKind::kWrite || graph.seq_cst_fences() > 0;
  const bool comes_after = event.kind == EventKind::kWrite || rules_ == SeqCstRules::kCpp20;
  const std::int32_t here = is_store ? number(slot) : place(event.rf);
  for (Slot write = graph.last_write(event.location); write != kNone; write = graph.event(write).previous_at_location) {
    if (number(write) >= number(slot)) continue;
    const bool is_later = at(write).place > here;
    if (is_later && (must_be_last || forced_before(graph, write, event.rf))) return false;
    if (!is_seq_cst(graph.event(write))) continue;
    if (is_later) bounds.below(at(write).rank);
    else if (comes_after) bounds.above(at(write).rank);
  }
  return true;
}

/// In rc11 a read comes after no read by modification order, and before none.
bool SeqCstWitness::look_at_reads(const ExecutionGraph& graph, Slot slot, Bounds& bounds) const {
  const Event& event = graph.event(slot);
  const bool is_write = event.kind == EventKind::kWrite;
  if (!is_write && rules_ == SeqCstRules::kRc11) return true;
  const std::int32_t here = is_write ? std::numeric_limits<std::int32_t>::max() : place(event.rf);
  for (Slot at_read = graph.last_read(event.location); at_read != kNone; at_read = graph.event(at_read).previous_at_location) {
    const Event& read = graph.event(at_read);
    if (number(at_read) >= number(slot)) continue;
    if (read.rf == kNone) return false;
    if (!is_seq_cst(read)) continue;
    const std::int32_t there = place(read.rf);
    if (there < here) bounds.above(at(at_read).rank);
    if (there > here) bounds.below(at(at_read).rank);
  }
  return true;
}

bool SeqCstWitness::rank_between(ExecutionGraph& graph, Slot slot, Bounds bounds) {
  if (graph.seq_cst_fences() > 0) {
    for (const InWitness& event : events_) bounds.above(event.rank);
  } else {
    if (rules_ == SeqCstRules::kCpp20) extend_strongly_happens_before(graph);
    predecessors_.clear();
    fixed_predecessors(graph, rules_, slot, predecessors_);
    for (const int node : predecessors_) bounds.above(at(graph.seq_cst_events()[static_cast<std::size_t>(node)]).rank);
  }
  if (bounds.high - bounds.low < 2) return false;
  at(slot).rank = bounds.high == kEnd ? bounds.low + kGap : bounds.low + (bounds.high - bounds.low) / 2;
  return true;
}

std::span<const InWitness> WitnessBuilder::build(const ExecutionGraph& graph, std::span<const int> before) {
  events_.assign(static_cast<std::size_t>(graph.size()), InWitness{});
  for (std::size_t n = 0; n < before.size(); ++n) at(graph.seq_cst_events()[n]).rank = (before[n] + 1) * kGap;
  for (int l = 0; l < graph.locations(); ++l)
    if (graph.writes_at(LocationId{l}) > 0) order(graph, LocationId{l});
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
