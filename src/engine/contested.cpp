#include "engine/contested.h"

namespace ordeal::engine {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::Slot;

namespace {

constexpr int kEnough = 64;  // executions: what takes fewer is fast anyway
constexpr std::size_t kLargest = 1 << 20;  // locations times threads: nothing is learnt from larger executions

/// The event behind which the thread came to this operation. (What a read synchronises with does not order the two: it could have read something else.)
Slot before(const ExecutionGraph& graph, const Event& event) {
  Slot at = event.previous;
  if (event.kind == EventKind::kWrite && event.is_rmw) at = graph.event(at).previous;
  return at != kNone ? at : graph.creation_of(event.thread);
}

}  // namespace

void Contested::add(model::LocationId location) {
  const auto at = static_cast<std::size_t>(number(location));
  if (at >= contested_.size()) contested_.resize(at + 1);
  contested_[at] = 1;
}

bool Contested::finished(const Execution& execution) {
  if (is_used_ || executions_ == kEnough) return true;
  ++executions_;
  const ExecutionGraph& graph = execution.graph;
  if (static_cast<std::size_t>(graph.locations()) * static_cast<std::size_t>(graph.threads()) > kLargest) return true;
  events_ = at_contested_ = 0;
  seen_.assign(static_cast<std::size_t>(graph.locations()) * static_cast<std::size_t>(graph.threads()), Seen{});
  for (int s = 0; s < graph.size(); ++s) look_at(graph, Slot{s});
  return true;
}

void Contested::look_at(const ExecutionGraph& graph, Slot slot) {
  const Event& event = graph.event(slot);
  if (event.kind == EventKind::kAttempt || event.location == model::kNoLocation) return;
  const auto location = static_cast<std::size_t>(number(event.location));
  Seen* const here = &seen_[location * static_cast<std::size_t>(graph.threads())];
  const bool writes = event.kind == EventKind::kWrite;
  const Slot from = before(graph, event);
  for (int t = 0; t < graph.threads(); ++t) {
    if (model::ThreadId{t} == event.thread) continue;
    const Slot other = writes ? here[t].access : here[t].write;
    if (other != kNone && (from == kNone || (other != from && !graph.happens_before(other, from)))) add(event.location);
  }
  Seen& own = here[number(event.thread)];
  own.access = slot;
  if (writes) own.write = slot;
  ++events_;
  at_contested_ += location < contested_.size() && contested_[location] != 0 ? 1 : 0;
}

bool Contested::is_worth_a_new_round() {
  if (executions_ < kEnough || is_asked_) return false;
  is_asked_ = true;
  return at_contested_ > 0 && at_contested_ < events_ - events_ / 4;
}

}  // namespace ordeal::engine
