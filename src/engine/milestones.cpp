#include "engine/milestones.h"

namespace ordeal::engine {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::Slot;

namespace {

constexpr std::size_t kMost = 16;
constexpr int kMostFailures = 3;

/// Whether it may come out differently, if there are other threads.
bool depends_on_others(const Event& event) {
  return event.kind == EventKind::kRead || event.kind == EventKind::kJoin || event.kind == EventKind::kChoice || event.kind == EventKind::kAttempt;
}

int place_behind_creations(const ExecutionGraph& graph) {
  bool has_created = false;
  int place = 0;
  for (; place < graph.size(); ++place) {
    const Event& event = graph.event(Slot{place});
    if (model::number(event.thread) != 0 || (has_created && depends_on_others(event))) break;
    has_created |= event.kind == EventKind::kCreate;
  }
  return has_created && place < graph.size() ? place : 0;
}

/// Not between the read and the write of an RMW.
bool is_between_operations(const ExecutionGraph& graph, int place) {
  const Event& event = graph.event(Slot{place - 1});
  return event.kind != EventKind::kRead || !event.is_rmw;
}

}  // namespace

int Milestones::passed(const ExecutionGraph& graph, int kept) {
  while (places_.size() > static_cast<std::size_t>(kept)) places_.pop_back();
  while (!places_.empty() && (graph.size() < last() || graph.event(Slot{last() - 1}).serial != places_.back().serial)) places_.pop_back();
  return static_cast<int>(places_.size());
}

int Milestones::place_to_keep(const ExecutionGraph& graph, std::int64_t cost) {
  if (failures_ > kMostFailures || places_.size() == kMost) return 0;
  if (passes_.size() < static_cast<std::size_t>(graph.size())) passes_.resize(static_cast<std::size_t>(graph.size()) * 2);
  int place = 0;
  for (int slot = last(); slot < graph.size(); ++slot) {
    Passes& passes = passes_[static_cast<std::size_t>(slot)];
    const std::uint64_t serial = graph.event(Slot{slot}).serial;
    if (passes.serial != serial) passes = {serial, 0};
    if (passes.times++ * (slot + 1 - last()) >= cost && is_between_operations(graph, slot + 1)) place = slot + 1;
  }
  if (place == graph.size()) place = 0;
  return places_.empty() && place == 0 ? place_behind_creations(graph) : place;
}

bool Milestones::is_worth_keeping(int events, std::int64_t returns, std::int64_t cost) const {
  return failures_ <= kMostFailures && places_.size() < kMost && !places_.empty() && returns * (events - last()) >= cost;
}

void Milestones::note_kept(const ExecutionGraph& graph, int events) { places_.push_back({events, graph.event(Slot{events - 1}).serial}); }

void Milestones::note_failure() {
  ++failures_;
  places_.clear();
}

}  // namespace ordeal::engine
