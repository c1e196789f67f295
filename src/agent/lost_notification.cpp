#include "agent/lost_notification.h"

#include <algorithm>

#include "model/modification_order.h"

namespace ordeal::agent {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;

namespace {

constexpr int kMostTries = 1000;  // graphs that are looked at for one thread

model::Value masked(const Event& load, model::Value value) { return value & load.access.operand; }

}  // namespace

/// The event just before it in its thread, or the creation of that; kNone: it comes first.
Slot LostNotification::before(const Notification& notification) const {
  const model::ThreadId thread{notification.thread};
  Slot at = graph_.last_of(thread);
  while (at != kNone && graph_.event(at).index >= notification.events) at = graph_.event(at).previous;
  return at != kNone ? at : graph_.creation_of(thread);
}

/// In modification order, or it may be.
bool LostNotification::is_later(Slot write, Slot other) const {
  if (consistency_.mo_is_explicit()) return graph_.event(write).mo_position > graph_.event(other).mo_position;
  return write != other && !model::forced_before(graph_, write, other);
}

/// A thread that blocked when it saw this write.
bool LostNotification::reaches(const Notification& notification, Slot saw, Certainty certainty) const {
  const Slot place = before(notification);
  if (place == kNone) return false;
  for (Slot at = graph_.last_write(graph_.event(saw).location); at != kNone; at = graph_.event(at).previous_at_location)
    if ((certainty == Certainty::kMaybe ? is_later(at, saw) : at != saw && model::forced_before(graph_, saw, at)) &&
        graph_.happens_before(at, place))
      return true;
  return false;
}

LostNotification::Fate LostNotification::fate_of(model::ThreadId thread) {
  const Event& seen = graph_.event(graph_.last_of(thread));
  bool is_overwritten = false, is_back = false;
  for (Slot at = graph_.last_write(seen.location); at != kNone; at = graph_.event(at).previous_at_location) {
    is_overwritten |= is_later(at, seen.rf);
    is_back |= at != seen.rf && graph_.event(at).value == seen.value;  // it might wait on, notified or not
  }
  if (!is_overwritten) return Fate::kGoesOn;
  std::vector<const Notification*> reaching;
  for (const Notification& notification : notifications_) {
    if (notification.address != address_ || !reaches(notification, seen.rf, Certainty::kMaybe)) continue;
    if (notification.is_to_all) return Fate::kGoesOn;
    reaching.push_back(&notification);
  }
  if (reaching.empty()) return Fate::kUnnotified;
  return !is_back && !consistency_.mo_is_explicit() && all_elsewhere(reaching, thread) ? Fate::kPassedOver : Fate::kGoesOn;
}

/// Whether each of them may have chosen a thread of its own that blocked and went on.
bool LostNotification::all_elsewhere(std::span<const Notification* const> left, model::ThreadId lost) {
  if (left.empty()) return are_consistent();
  const Notification& notification = *left.front();
  const Slot place = before(notification);
  for (int i = 0; i < graph_.size() && tries_ < kMostTries; ++i) {
    const Slot went_on{i};
    const Event& load = graph_.event(went_on);
    if (load.kind != EventKind::kRead || load.access.await != model::Await::kNotEqual || load.thread == lost) continue;
    if (load.location != graph_.event(graph_.last_of(lost)).location || graph_.happens_before(went_on, place)) continue;
    if (std::any_of(blocked_.begin(), blocked_.end(), [&](const Blocked& other) { return other.went_on == went_on; })) continue;
    const auto may_choose = [&](Slot saw) {
      if (number(saw) >= i || masked(load, graph_.event(saw).value) != load.access.expected) return false;
      if (!reaches(notification, saw, Certainty::kSurely)) return false;
      blocked_.push_back({went_on, saw});
      const bool found = all_elsewhere(left.subspan(1), lost);
      blocked_.pop_back();
      return found;
    };
    if (may_choose(model::initial_write(load.location))) return true;
    for (Slot at = graph_.last_write(load.location); at != kNone; at = graph_.event(at).previous_at_location)
      if (may_choose(at)) return true;
  }
  return false;
}

/// The same execution, with what they saw when they blocked.
bool LostNotification::are_consistent() {
  ++tries_;
  ExecutionGraph graph;
  graph.copy_prefix(graph_, 0);
  std::vector<Slot> slots;
  const auto translated = [&](Slot slot) { return number(slot) < 0 ? slot : slots[static_cast<std::size_t>(number(slot))]; };
  std::uint32_t stamp = 0;
  for (int i = 0; i < graph_.size(); ++i) {
    Event event = graph_.event(Slot{i});
    if (number(event.rf) >= i) return false;  // load buffering
    for (const Blocked& blocked : blocked_) {
      if (blocked.went_on != Slot{i}) continue;
      model::Access access = event.access;
      access.await = model::Await::kNone;
      Event load = model::Consistency::make_read(graph, access, translated(blocked.saw), 0);
      load.stamp = stamp++;
      if (!consistency_.push_read(graph, load)) return false;
    }
    event.rf = translated(event.rf);
    event.stamp = stamp++;
    if (event.kind == EventKind::kRead ? !consistency_.push_read(graph, event)
                                       : event.kind == EventKind::kWrite && !consistency_.push_write(graph, event))
      return false;
    if (!model::is_access(event)) graph.push(event);
    slots.push_back(graph.last());
  }
  return true;
}

}  // namespace ordeal::agent
