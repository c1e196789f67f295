#include "explore/revisit.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "explore/fixed_order.h"
#include "explore/waiting.h"
#include "model/atomicity.h"
#include "model/symmetry.h"
#include "model/thin_air.h"

namespace ordeal::explore {

using model::Consistency;
using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;

namespace {

void copy_payload(const ExecutionGraph& graph, Slot at, ExecutionGraph& into) {
  if (into.payload_size() > 0) std::memcpy(into.payload(into.last()), graph.payload(at), into.payload_size());
}

/// Of a notify.
bool clears_lowest_bit(const Event& event) {
  return (static_cast<std::uint64_t>(event.value) & ((std::uint64_t{1} << event.woken) - 1)) == 0;
}

}  // namespace

/// Two things follow from insertion order alone, once for all reads:
///   - a revisitor that w does not depend on must not be deleted, so the read must come after it;
///   - if another RMW has taken the source of w's RMW, it must be deleted, so the read must come before it.
Revisit::Window Revisit::window(const ExecutionGraph& graph, int size, const model::ClockEntry* prefix, Slot source) {
  Window window;
  const auto is_in_prefix = [&](const Event& event) { return event.index < prefix[number(event.thread)]; };
  for (const Slot at : graph.revisitors()) {
    const Event& event = graph.event(at);
    if (!is_in_prefix(event)) window.after = std::max<std::int64_t>(window.after, event.stamp);
  }
  if (source == kNone) return window;
  for (Slot at = graph.last_write(graph.event(source).location); at != kNone && number(at) > number(source); at = graph.event(at).previous_at_location) {
    const Event& event = graph.event(at);
    if (!event.is_rmw || event.rf != source || number(at) >= size) continue;
    if (is_in_prefix(event)) return Window{0, 0};
    window.before = std::min<std::int64_t>(window.before, event.stamp);
  }
  return window;
}

bool Revisit::may_displace(const ExecutionGraph& graph, const model::Access& access, Slot source) {
  prefix_.assign(static_cast<std::size_t>(graph.width()), 0);
  const Slot previous = graph.last_of(access.thread) != kNone ? graph.last_of(access.thread) : graph.creation_of(access.thread);
  for (const Slot slot : {previous, source, graph.is_symmetric() ? model::behind_by_symmetry(graph, access.thread) : kNone})
    if (number(slot) >= 0) base::join(prefix_.data(), graph.row(slot, model::Row::kPorf), graph.width());
  const Window open = window(graph, graph.size(), prefix_.data(), source);
  return open.after < open.before;
}

void Revisit::candidates(const ExecutionGraph& graph, std::vector<Slot>& out) const {
  const Slot write = graph.last();
  const Event& revisitor = graph.event(write);
  if (graph.last_read(revisitor.location) == kNone && graph.attempts() == 0) return;
  const Window open = window(graph, number(write), graph.row(write, model::Row::kPorf), revisitor.is_rmw ? revisitor.rf : kNone);
  if (open.after >= open.before) return;
  // In each thread those that the write does not depend on come last.
  for (int t = 0; t < graph.threads(); ++t) {
    Slot at = graph.last_here(revisitor.location, model::ThreadId{t});
    for (; at != kNone && model::may_read_later_write(graph, at, write); at = graph.event(at).previous_here) {
      const Event& read = graph.event(at);
      if (read.kind == EventKind::kRead && read.stamp > open.after && read.stamp < open.before && !read.failed_spuriously &&
          may_revisit(revisitor, read))
        out.push_back(at);
    }
  }
  if (out.size() > 1) std::sort(out.begin(), out.end(), [](Slot a, Slot b) { return number(a) > number(b); });
  if (graph.attempts() > 0) waiting_loads(graph, open, out);
}

/// Loads that wait for what the write on top wrote.
void Revisit::waiting_loads(const ExecutionGraph& graph, Window open, std::vector<Slot>& out) const {
  const Event& write = graph.event(graph.last());
  for (int t = 0; t < graph.threads(); ++t) {
    const model::ThreadId thread{t};
    if (thread == write.thread || !is_still_waiting(graph, thread)) continue;
    const Event& attempt = graph.event(graph.last_of(thread));
    if (attempt.location == write.location && attempt.stamp > open.after && attempt.stamp < open.before &&
        consistency_.fits(attempt.access, write.value))
      out.push_back(graph.last_of(thread));
  }
}

bool Revisit::build(const ExecutionGraph& graph, Slot read, int variant, ExecutionGraph& into) {
  if (surely_could_read_greater(graph, read)) return false;
  collect_deleted(graph, read);
  build_kept(graph, read, into);
  if (!all_surely_canonical(graph, read) && !all_canonical(graph, read, into)) return false;
  if (!consistency_.push_write(into, into.draft([&] { return translated(graph, graph.last()); }))) return false;
  copy_payload(graph, graph.last(), into);
  const model::Access& access = graph.event(read).access;
  if (access.await == model::Await::kApplicable) {
    Event attempt = Consistency::make_attempt(access, into.last());
    attempt.stamp = graph.event(read).stamp;
    into.push(attempt);
    return true;
  }
  Event& revisited = into.draft([&] { return Consistency::make_read(into, access, into.last(), variant); });
  revisited.stamp = graph.event(read).stamp;
  return consistency_.push_read(into, revisited);
}

void Revisit::collect_deleted(const ExecutionGraph& graph, Slot read) {
  const Slot write = graph.last();
  const std::uint32_t stamp = graph.event(read).stamp;
  const model::ClockEntry* prefix = graph.row(write, model::Row::kPorf);
  is_deleted_.assign(static_cast<std::size_t>(graph.size()), 0);
  deleted_.clear();
  first_change_ = number(read);
  for (int i = 0; i < number(write); ++i) {
    const Event& event = graph.event(Slot{i});
    if (event.stamp <= stamp || event.index < prefix[number(event.thread)]) continue;
    is_deleted_[static_cast<std::size_t>(i)] = 1;
    deleted_.push_back(Slot{i});
    first_change_ = std::min(first_change_, i);
  }
  std::sort(deleted_.begin(), deleted_.end(), [&](Slot a, Slot b) { return graph.event(a).stamp < graph.event(b).stamp; });
}

Slot Revisit::translated(Slot old) const {
  return number(old) < first_change_ ? old : new_slot_[static_cast<std::size_t>(number(old))];
}

Event Revisit::translated(const ExecutionGraph& graph, Slot at) const {
  Event event = graph.event(at);
  if (event.rf != kNone) event.rf = translated(event.rf);
  if (event.mo_position > 0) {  // explicit mo: behind those that were before it
    int position = 1;
    for (Slot other = graph.last_write(event.location); other != kNone; other = graph.event(other).previous_at_location) {
      const bool is_there = number(other) < first_change_ || new_slot_[static_cast<std::size_t>(number(other))] != kNone;
      if (other != at && is_there && graph.event(other).mo_position < event.mo_position) ++position;
    }
    event.mo_position = position;
  }
  return event;
}

void Revisit::push_again(const ExecutionGraph& graph, Slot at, ExecutionGraph& into) {
  consistency_.push_copy(into, into.draft([&] { return translated(graph, at); }), graph, at);
  new_slot_[static_cast<std::size_t>(number(at))] = into.last();
  copy_payload(graph, at, into);
}

void Revisit::build_kept(const ExecutionGraph& graph, Slot read, ExecutionGraph& into) {
  into.copy_prefix(graph, first_change_, true);
  new_slot_.assign(static_cast<std::size_t>(graph.size()), kNone);
  for (int i = first_change_; i < number(graph.last()); ++i)
    if (Slot{i} != read && is_deleted_[static_cast<std::size_t>(i)] == 0) push_again(graph, Slot{i}, into);
}

bool Revisit::all_canonical(const ExecutionGraph& graph, Slot read, ExecutionGraph& into) {
  const int kept = into.size();
  bool canonical = is_canonical(graph, read, into);
  if (canonical && !deleted_.empty()) push_again(graph, read, into);
  for (std::size_t i = 0; canonical && i < deleted_.size(); ++i) {
    canonical = is_canonical(graph, deleted_[i], into);
    if (canonical && i + 1 < deleted_.size()) push_again(graph, deleted_[i], into);
  }
  if (!canonical) return false;
  while (into.size() > kept) into.pop();
  new_slot_[static_cast<std::size_t>(number(read))] = kNone;
  for (const Slot slot : deleted_) new_slot_[static_cast<std::size_t>(number(slot))] = kNone;
  return true;
}

bool Revisit::is_canonical(const ExecutionGraph& graph, Slot at, ExecutionGraph& before) {
  const Event& event = graph.event(at);
  switch (event.kind) {
    case EventKind::kRead:
      if (event.failed_spuriously || is_for_value(event.access.await)) return false;
      if (event.woken > 0 && !clears_lowest_bit(event)) return false;
      return event.access.function == model::RmwFunction::kUnlock || reads_its_source(translated(graph, at), before);
    case EventKind::kWrite: return event.mo_position == 0 || event.is_rmw || stores_last(graph, at);
    case EventKind::kChoice: return event.value == 0;
    default: return true;
  }
}

/// The same without building anything: false means that it is not plain to see. Nearly always it is, where RMWs contend.
bool Revisit::all_surely_canonical(const ExecutionGraph& graph, Slot read) {
  if (consistency_.mo_is_explicit()) return false;
  int looks = 256;  // beyond that building is not dearer
  const auto is_sure = [&](Slot at) {
    const Event& event = graph.event(at);
    if (event.kind == EventKind::kChoice) return event.value == 0;
    if (event.kind != EventKind::kRead) return true;
    if (event.failed_spuriously || event.woken > 0 || is_for_value(event.access.await)) return false;
    if (event.access.function == model::RmwFunction::kUnlock) return true;
    looks -= graph.writes_at(event.location);
    return looks >= 0 && surely_reads_greatest(graph, event);
  };
  return is_sure(read) && std::all_of(deleted_.begin(), deleted_.end(), is_sure);
}

/// Each greater write that was there before it, or on which the new write depends, was taken by an RMW of which the same is true.
bool Revisit::surely_reads_greatest(const ExecutionGraph& graph, const Event& read) {
  const model::ClockEntry* prefix = graph.row(graph.last(), model::Row::kPorf);
  const auto is_there = [&](const Event& event) { return event.stamp < read.stamp || event.index < prefix[number(event.thread)]; };
  taken_.clear();
  for (Slot at = graph.last_write(read.location); at != kNone; at = graph.event(at).previous_at_location) {
    const Event& write = graph.event(at);
    if (at == graph.last() || !is_there(write)) continue;
    if (write.is_rmw) taken_.push_back(write.rf);
    if (!is_less(graph, read.rf, at) || !consistency_.fits(read.access, write.value)) continue;
    if (!writes_after_reading(read.access, write.value) || std::find(taken_.begin(), taken_.end(), at) == taken_.end()) return false;
  }
  return true;
}

/// Whether the read to revisit is not canonical for a reason that is seen before anything is built: of the writes that stay it
/// could have read a greater one. Constraints are fewer without the deleted events, so what they allow now is allowed then, too;
/// seq_cst is left to `reads_its_source`.
bool Revisit::surely_could_read_greater(const ExecutionGraph& graph, Slot at) {
  const Event& read = graph.event(at);
  const model::Access& access = read.access;
  if (read.kind != EventKind::kRead || access.function == model::RmwFunction::kUnlock || consistency_.mo_is_explicit()) return false;
  const bool is_seq_cst = access.order == model::MemoryOrder::kSeqCst || access.failure_order == model::MemoryOrder::kSeqCst;
  if (is_seq_cst || graph.seq_cst_events().size() > 1) return false;
  const model::ClockEntry* prefix = graph.row(graph.last(), model::Row::kPorf);
  bool has_floors = false;
  for (Slot other = graph.event(graph.last()).previous_at_location; other != kNone; other = graph.event(other).previous_at_location) {
    const Event& write = graph.event(other);
    const bool stays = write.stamp < read.stamp || write.index < prefix[number(write.thread)];
    if (!stays || !is_less(graph, read.rf, other) || !consistency_.fits(access, write.value)) continue;
    if (writes_after_reading(access, write.value) && !model::may_be_built_upon(graph, other)) continue;
    if (!std::exchange(has_floors, true)) floors_.compute(graph, at);
    if (floors_.allow(graph, other)) return true;
  }
  return false;
}

/// Explicit mo: the store is behind all writes that came before it, the prefix of the new write, and that write.
bool Revisit::stores_last(const ExecutionGraph& graph, Slot store) const {
  const Event& event = graph.event(store);
  for (Slot at = graph.last_write(event.location); at != kNone; at = graph.event(at).previous_at_location) {
    const Event& other = graph.event(at);
    const bool counts = at == graph.last() || other.stamp < event.stamp || is_deleted_[static_cast<std::size_t>(number(at))] == 0;
    if (at != store && counts && other.mo_position > event.mo_position) return false;
  }
  return true;
}

/// `read` reads the greatest write that it could read. What it reads is consistent: only greater ones are tried.
bool Revisit::reads_its_source(const Event& read, ExecutionGraph& before) {
  const Slot own = before.last_here(read.location, read.thread);
  const Slot floor = own != kNone ? model::position_of(before, own) : kNone;
  for (Slot at = before.last_write(read.location); at != kNone; at = before.event(at).previous_at_location) {
    if (is_less(before, read.rf, at) && could_read(read, at, before)) return false;
    if (at == floor && before.event(at).is_behind_all) break;  // coherence allows none of the rest
  }
  return true;
}

bool Revisit::could_read(const Event& read, Slot source, ExecutionGraph& before) {
  Event& other = before.draft([&] { return Consistency::make_read(before, read.access, source, 0); });
  if (!is_ordinary(read.access) && !consistency_.fits(read.access, other.value)) return false;
  other.stamp = read.stamp;
  if (other.is_rmw && !consistency_.mo_is_explicit() && !model::may_be_built_upon(before, source)) return false;
  bool consistent = consistency_.push_read(before, other);
  if (consistent && other.is_rmw) {
    Event& write = before.draft([&] { return Consistency::make_rmw_write(before.event(before.last())); });
    write.stamp = read.stamp;
    if (consistency_.mo_is_explicit()) write.mo_position = before.event(source).mo_position + 1;
    consistent = consistency_.push_write(before, write);
    before.pop();
  }
  before.pop();
  return consistent;
}

}  // namespace ordeal::explore
