#include "engine/milestone.h"

#include <algorithm>
#include <cstring>

namespace ordeal::engine {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::Slot;

namespace {

constexpr int kEnoughUses = 8;  // to pay for keeping it
constexpr int kLongestPause = 1024;

/// Whether it may come out differently, if there are other threads.
bool depends_on_others(const Event& event) {
  return event.kind == EventKind::kRead || event.kind == EventKind::kJoin || event.kind == EventKind::kChoice || event.kind == EventKind::kAttempt;
}

int place_in(const ExecutionGraph& graph) {
  bool has_created = false;
  int place = 0;
  for (; place < graph.size(); ++place) {
    const Event& event = graph.event(Slot{place});
    if (model::number(event.thread) != 0 || (has_created && depends_on_others(event))) break;
    has_created |= event.kind == EventKind::kCreate;
  }
  return has_created && place < graph.size() ? place : 0;
}

}  // namespace

int Milestone::place_to_keep(const ExecutionGraph& graph) { return pays() ? place_in(graph) : 0; }

bool Milestone::pays() {
  if (is_given_up_) return false;
  if (!events_.empty()) {  // a milestone is lost
    next_pause_ = uses_ >= kEnoughUses ? 1 : std::min(next_pause_ * 2, kLongestPause);
    pause_ = next_pause_;
    events_.clear();
  }
  return pause_ == 0 || --pause_ == 0;
}

Milestone::Seen Milestone::seen(const Event& event) { return {event.kind, event.rf, event.value, event.access}; }

void Milestone::note_kept(const ExecutionGraph& graph, int events) {
  events_.clear();
  uses_ = 0;
  for (int slot = 0; slot < events; ++slot) events_.push_back(seen(graph.event(Slot{slot})));
}

bool Milestone::is_passed(const ExecutionGraph& graph) {
  if (events_.empty() || graph.size() < events() || is_given_up_) return false;
  for (int slot = 0; slot < events(); ++slot) {
    const Event& event = graph.event(Slot{slot});
    const Seen& then = events_[static_cast<std::size_t>(slot)];
    if (event.kind != then.kind || event.rf != then.rf || event.value != then.value || std::memcmp(&event.access, &then.access, sizeof then.access) != 0)
      return false;
  }
  ++uses_;
  return true;
}

}  // namespace ordeal::engine
