#include "analysis/repair.h"

#include <algorithm>
#include <array>
#include <map>

namespace ordeal::analysis {

using model::EventKind;
using model::MemoryOrder;
using trace::TraceEvent;

namespace {

constexpr std::size_t kMostPushes = 2'000'000;  // events pushed

bool is_access(const TraceEvent& event) { return event.kind == EventKind::kRead || event.kind == EventKind::kWrite; }

/// What the model asks of it, and no more: it is copied often.
trace::Trace stripped(const trace::Trace& from) {
  trace::Trace trace;
  trace.model = from.model;
  trace.threads.resize(from.threads.size());
  trace.locations = from.locations;
  for (trace::TraceLocation& location : trace.locations) location.name.clear();
  trace.events = from.events;
  for (TraceEvent& event : trace.events) event.stack.clear();
  return trace;
}

/// The weakest order that releases, if it is a store, and acquires, if it is a load.
MemoryOrder synchronising(const TraceEvent& event) {
  if (event.is_rmw) return MemoryOrder::kAcqRel;
  return event.kind == EventKind::kRead ? MemoryOrder::kAcquire : MemoryOrder::kRelease;
}
bool is_weaker(const TraceEvent& event, MemoryOrder order) {
  if (event.order == order || event.order == MemoryOrder::kSeqCst) return false;
  return order == MemoryOrder::kSeqCst || event.order != MemoryOrder::kAcqRel;
}

class RepairSearch {
 public:
  enum class Counts { kAll, kBeforeAccess };  // of a race: does what an access learns from what it reads itself order it?
  RepairSearch(const trace::Trace& trace, std::span<const int> sites, const std::optional<RacingSpots>& race, Counts counts, std::span<const EventIndex> blamed)
      : trace_(stripped(trace)), sites_(sites), race_(race), counts_(counts), blamed_(blamed) {}

  std::optional<Repair> find() {
    if (!is_worth_it()) return std::nullopt;
    const std::vector<Change> raised = raises(false), seq_cst = raises(true), fences = possible_fences();
    for (const std::vector<Change>* single : {&raised, &seq_cst})
      if (auto found = try_each(*single)) return weakened(*found);
    for (const std::vector<Change>* pair : {&raised, &seq_cst})
      if (auto found = try_pairs(*pair)) return weakened(*found);
    if (auto found = try_each(fences)) return found;
    return try_pairs(fences);
  }

 private:
  bool is_worth_it() {
    if (sites_.size() != trace_.events.size()) return false;
    const GraphOfTrace as_it_is(trace_);
    if (!as_it_is.is_consistent()) return false;
    if (!race_) return true;
    return is_in(as_it_is.graph(), race_->first) && is_in(as_it_is.graph(), race_->second) && !are_ordered(as_it_is.graph(), *race_);
  }

  /// Each site with its events that have a weaker order.
  std::vector<Change> raises(bool to_seq_cst) const {
    std::map<int, Change> changes;
    std::map<int, bool> has_rmw;
    for (std::size_t i = 0; i < trace_.events.size(); ++i)
      if (sites_[i] >= 0 && trace_.events[i].is_rmw) has_rmw[sites_[i]] = true;
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      const TraceEvent& event = trace_.events[i];
      const bool is_fence = event.kind == EventKind::kFence;
      if (sites_[i] < 0 || !(is_access(event) || is_fence) || event.order == MemoryOrder::kPlain) continue;
      if (has_rmw[sites_[i]] && !event.is_rmw) continue;  // a compare-exchange that failed
      const MemoryOrder order = to_seq_cst ? MemoryOrder::kSeqCst : is_fence ? MemoryOrder::kAcqRel : synchronising(event);
      if (!is_weaker(event, order)) continue;
      changes[sites_[i]].events.push_back(static_cast<EventIndex>(i));
      changes[sites_[i]].order = order;
    }
    std::vector<Change> list = in_order(changes);
    std::stable_partition(list.begin(), list.end(), [&](const Change& change) { return is_blamed(change.events.front()); });
    return list;
  }
  bool is_blamed(EventIndex event) const {
    return std::any_of(blamed_.begin(), blamed_.end(), [&](EventIndex other) { return sites_[static_cast<std::size_t>(other)] == sites_[static_cast<std::size_t>(event)]; });
  }

  /// Between operations of two sites that follow each other in a thread.
  std::vector<Change> possible_fences() const {
    std::map<std::pair<int, int>, Change> changes;
    std::map<std::int32_t, std::size_t> last;  // by thread
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      const TraceEvent& event = trace_.events[i];
      const auto before = last.find(event.name.thread);
      const bool is_half = event.is_rmw && event.kind == EventKind::kWrite;
      if (before != last.end() && !is_half && sites_[i] >= 0 && sites_[before->second] >= 0) {
        Change& change = changes[{sites_[before->second], sites_[i]}];
        change.events.push_back(static_cast<EventIndex>(before->second));
        if (change.next == kNoEvent) change.next = static_cast<EventIndex>(i);
      }
      last[event.name.thread] = i;
    }
    return in_order(changes);
  }

  template <class Key>
  static std::vector<Change> in_order(const std::map<Key, Change>& changes) {
    std::vector<Change> list;
    for (const auto& [site, change] : changes) list.push_back(change);
    std::sort(list.begin(), list.end(), [](const Change& a, const Change& b) { return a.events.front() < b.events.front(); });
    return list;
  }

  std::optional<Repair> try_each(const std::vector<Change>& changes) {
    for (const Change& change : changes)
      if (auto found = attempt({change})) return found;
    return std::nullopt;
  }
  std::optional<Repair> try_pairs(const std::vector<Change>& changes) {
    for (std::size_t i = 0; i < changes.size(); ++i)
      for (std::size_t j = i + 1; j < changes.size(); ++j)
        if (auto found = attempt({changes[i], changes[j]})) return found;
    return std::nullopt;
  }

  /// The same with acquire or release for a read-modify-write or a fence, where one of the two is enough.
  Repair weakened(Repair repair) {
    for (std::size_t i = 0; i < repair.changes.size(); ++i) {
      if (repair.changes[i].order != MemoryOrder::kAcqRel) continue;
      for (const MemoryOrder order : {MemoryOrder::kAcquire, MemoryOrder::kRelease}) {
        std::vector<Change> changes = repair.changes;
        if (!lower(changes[i], order)) continue;
        const auto found = attempt(changes);
        if (!found || found->forbids != repair.forbids) continue;
        repair = *found;
        break;
      }
    }
    return repair;
  }
  /// Whether the order is one that its events can have.
  bool lower(Change& change, MemoryOrder order) const {
    const auto order_of = [&](EventIndex event) { return trace_.events[static_cast<std::size_t>(event)].order; };
    std::erase_if(change.events, [&](EventIndex event) { return order_of(event) == order; });
    change.order = order;
    return !change.events.empty() && std::all_of(change.events.begin(), change.events.end(), [&](EventIndex event) { return order_of(event) == MemoryOrder::kRelaxed; });
  }

  std::optional<Repair> attempt(const std::vector<Change>& changes) {
    work_ += trace_.events.size();
    if (work_ > kMostPushes) return std::nullopt;
    trace::Trace changed = trace_;
    std::optional<RacingSpots> race = race_;
    std::vector<char> fenced(trace_.events.size(), 0);
    for (const Change& change : changes)
      for (const EventIndex event : change.events) {
        if (change.next != kNoEvent) fenced[static_cast<std::size_t>(event)] = 1;
        else changed.events[static_cast<std::size_t>(event)].order = change.order;
      }
    if (changes.front().next != kNoEvent) put_fences(changed, fenced, race);
    const GraphOfTrace graph(changed);
    if (graph.standing() == Standing::kInconsistent) return Repair{changes, true};
    if (graph.is_consistent() && race && are_ordered(graph.graph(), *race)) return Repair{changes, false};
    return std::nullopt;
  }

  bool are_ordered(const model::ExecutionGraph& graph, const RacingSpots& race) const {
    const auto end = [&](const Spot& spot) { return counts_ == Counts::kAll ? spot : just_before(spot); };
    return happens_before(graph, race.first, end(race.second)) || happens_before(graph, race.second, end(race.first));
  }

  /// A seq_cst fence behind each of the events that are marked; whatever counts events of a thread counts these, too.
  static void put_fences(trace::Trace& trace, const std::vector<char>& marked, std::optional<RacingSpots>& race) {
    std::vector<std::vector<std::int32_t>> behind(trace.threads.size());  // by thread: indices of events that a fence follows
    for (std::size_t i = 0; i < trace.events.size(); ++i)
      if (marked[i] != 0) behind[static_cast<std::size_t>(trace.events[i].name.thread)].push_back(trace.events[i].name.index);
    const auto moved = [&](std::int32_t thread, std::int32_t index) {
      if (thread < 0) return index;
      const std::vector<std::int32_t>& fences = behind[static_cast<std::size_t>(thread)];
      return index + static_cast<std::int32_t>(std::count_if(fences.begin(), fences.end(), [&](std::int32_t fence) { return fence < index; }));
    };
    std::vector<TraceEvent> events;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      TraceEvent event = trace.events[i];
      event.name.index = moved(event.name.thread, event.name.index);
      event.rf.index = moved(event.rf.thread, event.rf.index);
      events.push_back(event);
      if (marked[i] == 0) continue;
      TraceEvent fence;
      fence.name = {event.name.thread, event.name.index + 1};
      fence.order = MemoryOrder::kSeqCst;
      events.push_back(fence);
    }
    for (std::size_t i = 0; i < events.size(); ++i) events[i].inserted = static_cast<std::uint32_t>(i);
    trace.events = std::move(events);
    if (!race) return;
    for (Spot* spot : {&race->first, &race->second}) spot->before = moved(spot->thread, spot->before);
  }

  trace::Trace trace_;
  std::span<const int> sites_;
  std::optional<RacingSpots> race_;
  Counts counts_;
  std::span<const EventIndex> blamed_;
  std::size_t work_ = 0;
};

}  // namespace

std::optional<Repair> find_repair(const trace::Trace& trace, std::span<const int> sites, const std::optional<RacingSpots>& race, std::span<const EventIndex> blamed) {
  if (auto found = RepairSearch(trace, sites, race, RepairSearch::Counts::kBeforeAccess, blamed).find()) return found;
  const bool is_other = race && (race->first.is_event || race->second.is_event);
  return is_other ? RepairSearch(trace, sites, race, RepairSearch::Counts::kAll, blamed).find() : std::nullopt;
}

}  // namespace ordeal::analysis
