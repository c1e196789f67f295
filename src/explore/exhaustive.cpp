#include "explore/exhaustive.h"

#include <algorithm>
#include <utility>

#include "explore/waiting.h"
#include "model/symmetry.h"

namespace ordeal::explore {

using engine::Operation;
using engine::OperationKind;
using model::Consistency;
using model::Event;
using model::EventKind;
using model::kNone;
using model::number;
using model::Slot;

Exhaustive::Exhaustive(model::Model model) : consistency_(model), revisit_(consistency_), dead_ends_(consistency_) {
  levels_.push_back(std::make_unique<Level>());
}

/// Back to the last event with an alternative left, and that alternative.
bool Exhaustive::advance() {
  ++step_;
  if (!started_) return started_ = true;
  for (;;) {
    if (*at_once_) return true;
    if (!level().frames.empty()) {
      if (try_top_frame()) return true;
    } else if (depth_ > 0) {
      --depth_;
    } else {
      return false;
    }
  }
}

bool Exhaustive::begin_again() {
  depth_ = 0;
  level().frames.clear();
  level().alternatives.clear();
  while (graph().size() > 0) graph().pop();
  graph().next_stamp = 0;
  ++step_;
  return started_ = true;
}

/// One operation becomes its events.
bool Exhaustive::decide(const Operation& operation) {
  if (is_symmetric_) [[unlikely]] compare_with_twin(operation);
  note_what_is_there(operation);
  switch (operation.kind) {
    case OperationKind::kLoad:
    case OperationKind::kRmw:
    case OperationKind::kLock:
    case OperationKind::kUnlock:
    case OperationKind::kNotify: return start_read(operation);
    case OperationKind::kAwait:
      return is_wake(operation.access.await) ? start_wake(operation) : start_read(operation);
    case OperationKind::kStore: return start_store(operation);
    case OperationKind::kChoose: {
      Frame& frame = open_frame(FrameKind::kValues, operation.access);
      for (std::uint32_t v = 0; v < operation.alternatives; ++v) level().alternatives.push_back({kNone, static_cast<int>(v)});
      frame.end = level().alternatives.size();
      return try_top_frame();
    }
    default: break;
  }
  Event event;
  event.access = operation.access;
  event.kind = operation.access.kind;
  event.thread = operation.access.thread;
  event.order = operation.access.order;
  if (event.kind != EventKind::kCreate) event.value = operation.access.operand;
  event.stamp = graph().next_stamp++;
  graph().push(event);
  return true;
}

int Exhaustive::alternatives_left(int size) const {
  const std::vector<Frame>& frames = levels_[depth_]->frames;
  for (auto frame = frames.rbegin(); frame != frames.rend() && frame->size >= size; ++frame)
    if (frame->size == size && frame->kind != FrameKind::kRevisits) return static_cast<int>(frame->end - frame->next);
  return 0;
}

bool Exhaustive::start_read(const Operation& operation) {
  offer_sources(operation.access, is_for_value(operation.access.await));
  return try_top_frame();
}

/// For seen_writes.h: before anything is written.
void Exhaustive::note_what_is_there(const Operation& operation) {
  model::SeenWrites* const seen = dead_ends_.stale_turns().seen_writes();
  if (seen == nullptr || operation.access.location == model::kNoLocation) return;
  seen->note_initial(operation.access.location, graph().event(model::initial_write(operation.access.location)).value);
}

/// Whoever still waits then waits to the end.
bool Exhaustive::decide_alone(const Operation& operation, std::span<const Operation> waiting) {
  if (is_symmetric_) [[unlikely]] compare_with_twin(operation);
  note_what_is_there(operation);
  offer_sources(operation.access, may_wait_for_ever(consistency_, graph(), waiting));
  return try_top_frame();
}

/// Opens a frame with all that the access may read; or it may still wait.
void Exhaustive::offer_sources(const model::Access& access, bool may_wait) {
  Level& here = level();
  Frame& frame = open_frame(may_wait ? FrameKind::kSourcesOrNone : FrameKind::kSources, access);
  found_.clear();
  if (access.function == model::RmwFunction::kUnlock) found_.push_back(held_state(here.graph, access));
  else consistency_.sources(here.graph, access, found_);
  if (newest_first_) std::sort(found_.begin(), found_.end(), [&](Slot a, Slot b) { return number(a) > number(b); });
  const bool is_shuffled = rng_ != nullptr && rng_->chance(50);
  for (std::size_t i = found_.size(); is_shuffled && i > 1; --i) std::swap(found_[i - 1], found_[static_cast<std::size_t>(rng_->below(static_cast<int>(i)))]);
  const bool any = is_ordinary(access);
  for (const Slot source : found_) {
    if (!any && !may_go_on_from(consistency_, here.graph, access, source)) continue;
    here.alternatives.push_back({source, 0});
    if (access.function == model::RmwFunction::kClearOne) offer_variants(access, source, source);
  }
  // A thread that only fails without reason gets nowhere: that comes last.
  for (std::size_t i = frame.first, end = here.alternatives.size(); access.is_weak && i < end; ++i) {
    const Slot source = here.alternatives[i].slot;
    offer_variants(access, source, source);
  }
  if (may_wait) here.alternatives.push_back({kNone, 0});
  frame.end = here.alternatives.size();
}

/// An alternative for each variant but the first of the access, if it reads that write.
void Exhaustive::offer_variants(const model::Access& access, Slot slot, Slot source) {
  const model::Event& write = graph().event(source);
  const model::Value read = write.value;
  if (access.needs_rival && (model::is_initial(source) || write.thread == access.thread)) return;
  const int variants = spurious_failures_ || !access.is_weak ? Consistency::variants(access, read) : 1;
  if (variants > 1 && postpones_failures_ && access.is_weak && !access.is_try) {
    has_postponed_ = true;
    return;
  }
  for (int variant = 1; variant < variants; ++variant) level().alternatives.push_back({slot, variant});
}

bool Exhaustive::start_wake(const Operation& operation) {
  Event wake = Consistency::make_wake(graph(), operation.access, waker(graph(), operation.access));
  wake.stamp = graph().next_stamp++;
  graph().push(wake);
  return true;
}

bool Exhaustive::can_go_on(const Operation& operation) {
  if (is_symmetric_ && is_held_by_twin(operation)) [[unlikely]] return false;
  if (operation.kind == OperationKind::kLock) {
    if (model::SeenWrites* seen = dead_ends_.stale_turns().seen_writes()) seen->note_lock();
    return can_lock(consistency_, graph(), operation.access);
  }
  if (operation.kind != OperationKind::kAwait) return true;
  if (is_wake(operation.access.await)) return waker(graph(), operation.access) != kNone;
  return !is_still_waiting(graph(), operation.access.thread) && has_something_to_read(consistency_, graph(), operation.access);
}

/// A thread that waits at a lock may have come first.
bool Exhaustive::can_end_waiting(std::span<const Operation> waiting) {
  for (const Operation& operation : waiting)
    if (operation.kind == OperationKind::kLock && !model::is_held(graph(), operation.access.thread)) offer_sources(operation.access, false);
  return may_wait_for_ever(consistency_, graph(), waiting);
}

bool Exhaustive::ends_redundantly(std::span<const Operation> waiting) {
  return std::any_of(waiting.begin(), waiting.end(), [&](const Operation& operation) { return consistency_.may_be_redundant(operation.access); });
}

bool Exhaustive::start_store(const Operation& operation) {
  if (!consistency_.mo_is_explicit()) {
    Event& write = graph().draft([&] { return Consistency::make_write(operation.access); });
    write.stamp = graph().next_stamp++;
    return push_write(write);
  }
  Frame& frame = open_frame(FrameKind::kPositions, operation.access);
  // Never between an RMW and its source: that stays wrong unless the RMW is deleted by a revisit, and then the place
  // behind the RMW is the same.
  const model::LocationId location = operation.access.location;
  std::vector<char> is_taken(static_cast<std::size_t>(graph().writes_at(location)) + 2, 0);
  for (Slot at = graph().last_write(location); at != kNone; at = graph().event(at).previous_at_location)
    if (graph().event(at).is_rmw) is_taken[static_cast<std::size_t>(graph().event(at).mo_position)] = 1;
  for (int position = graph().writes_at(location) + 1; position >= 1; --position)
    if (is_taken[static_cast<std::size_t>(position)] == 0) level().alternatives.push_back({kNone, position});
  frame.end = level().alternatives.size();
  return try_top_frame();
}

/// Pushes the write and opens a frame for its revisits, if there are any. They are made even if the write is inconsistent as it stands.
bool Exhaustive::push_write(const Event& write) {
  Level& here = level();
  const bool consistent = consistency_.push_write(here.graph, write);
  if (model::SeenWrites* seen = dead_ends_.stale_turns().seen_writes()) seen->note(here.graph);
  if (here.graph.last_read(write.location) == kNone && here.graph.attempts() == 0) return consistent;
  found_.clear();
  revisit_.candidates(here.graph, found_);
  if (!found_.empty()) offer_revisits(open_frame(FrameKind::kRevisits, write.access));
  return consistent;
}

/// The read of an RMW is on top; its write follows.
bool Exhaustive::push_rmw_write() {
  Event& write = graph().draft([&] { return Consistency::make_rmw_write(graph().event(graph().last())); });
  write.stamp = graph().next_stamp++;
  if (consistency_.mo_is_explicit()) write.mo_position = graph().event(write.rf).mo_position + 1;
  return push_write(write);
}

// --- symmetric threads -----------------------------------------------------------------------------------------------------

void Exhaustive::set_symmetry(const engine::Counterparts* counterparts) {
  graph().set_symmetric();
  is_symmetric_ = true;
  counterparts_ = counterparts;
}

/// The twin was asked just before, waits likewise, and for the same; otherwise they are no twins.
bool Exhaustive::is_held_by_twin(const Operation& operation) {
  const model::ThreadId thread = operation.access.thread;
  const auto asked = [&](model::ThreadId id) -> Asked& { return asked_[static_cast<std::size_t>(number(id))]; };
  if (asked_.size() < static_cast<std::size_t>(graph().threads())) asked_.resize(static_cast<std::size_t>(graph().threads()));
  asked(thread) = {step_, operation.access};
  if (!model::is_held(graph(), thread)) return false;
  const Asked& twin = asked(model::nearest_twin(graph(), thread));
  is_asymmetric_ |= twin.step != step_ || (counterparts_ != nullptr && !counterparts_->are_counterparts(twin.access, operation.access));
  return true;
}

/// What its twin did in the same state must be the same.
void Exhaustive::compare_with_twin(const Operation& operation) {
  ++step_;
  const model::ThreadId thread = operation.access.thread, twin = model::nearest_twin(graph(), thread);
  if (twin == model::kNoThread || counterparts_ == nullptr) return;
  const Slot other = graph().in_class(twin, graph().count_in_class(thread));
  is_asymmetric_ |= !counterparts_->are_counterparts(graph().event(other).access, operation.access);
}

// --- frames ----------------------------------------------------------------------------------------------------------------

Exhaustive::Frame& Exhaustive::open_frame(FrameKind kind, const model::Access& access) {
  Level& here = level();
  const std::size_t first = here.alternatives.size();
  Frame& frame = here.frames.emplace_back();  // and no copy of what was just written
  frame.kind = kind;
  frame.size = here.graph.size();
  frame.stamp = here.graph.next_stamp;
  frame.first = frame.next = frame.end = first;
  frame.access = access;
  return frame;
}

void Exhaustive::close_frame() {
  level().alternatives.resize(level().frames.back().first);
  level().frames.pop_back();
}

bool Exhaustive::try_top_frame() {
  Level& here = level();
  const std::size_t frames = here.frames.size();
  for (;;) {
    if (*at_once_) [[unlikely]] return false;
    Frame& frame = here.frames.back();
    while (here.graph.size() > frame.size) here.graph.pop();
    here.graph.next_stamp = frame.stamp;
    if (frame.next == frame.end) {
      close_frame();
      return false;
    }
    const Alternative alternative = here.alternatives[frame.next++];
    if (take(frame, alternative)) return true;
    if (here.frames.size() != frames || &level() != &here) return false;  // an RMW's write with revisits to make
  }
}

bool Exhaustive::take(Frame& frame, Alternative alternative) {
  switch (frame.kind) {
    case FrameKind::kSourcesOrNone:
      if (alternative.slot == kNone) return take_no_source(frame);
      [[fallthrough]];
    case FrameKind::kSources: return take_source(frame, alternative);
    case FrameKind::kPositions: return take_position(frame, alternative);
    case FrameKind::kRevisits: return take_revisit(alternative);
    case FrameKind::kValues: return take_value(frame, alternative);
  }
  return false;
}

bool Exhaustive::take_source(const Frame& frame, Alternative alternative) {
  Event& read = graph().draft([&] { return Consistency::make_read(graph(), frame.access, alternative.slot, alternative.value); });
  if (read.is_rmw && consistency_.is_taken(graph(), alternative.slot) &&
      !revisit_.may_displace(graph(), frame.access, alternative.slot))
    return false;
  read.stamp = graph().next_stamp++;
  if (!consistency_.push_read(graph(), read)) return false;
  if (read.is_rmw) return push_rmw_write();
  return read.access.function == model::RmwFunction::kNone || !leaves_dead_ends_ || !dead_ends_.is_known_to_have(graph());
}

/// It still waits.
bool Exhaustive::take_no_source(const Frame& frame) {
  Event attempt = Consistency::make_attempt(frame.access, kNone);
  attempt.stamp = graph().next_stamp++;
  graph().push(attempt);
  return true;
}

bool Exhaustive::take_position(const Frame& frame, Alternative alternative) {
  Event& write = graph().draft([&] { return Consistency::make_write(frame.access); });
  write.mo_position = alternative.value;
  write.stamp = graph().next_stamp++;
  return push_write(write);
}

bool Exhaustive::take_value(const Frame& frame, Alternative alternative) {
  Event event;
  event.access = frame.access;
  event.kind = EventKind::kChoice;
  event.thread = frame.access.thread;
  event.value = alternative.value;
  event.stamp = graph().next_stamp++;
  graph().push(event);
  return true;
}

/// The reads in `found_`.
void Exhaustive::offer_revisits(Frame& frame) {
  Level& here = level();
  for (const Slot read : found_) {
    here.alternatives.push_back({read, 0});
    const model::Access& access = here.graph.event(read).access;
    if (access.is_weak || access.function == model::RmwFunction::kClearOne) offer_variants(access, read, here.graph.last());
  }
  frame.end = here.alternatives.size();
}

bool Exhaustive::take_revisit(Alternative alternative) {
  if (levels_.size() == depth_ + 1) levels_.push_back(std::make_unique<Level>());
  Level& next = *levels_[depth_ + 1];
  if (!revisit_.build(graph(), alternative.slot, alternative.value, next.graph)) return false;
  const Event& read = next.graph.event(next.graph.last());
  if (!read.is_rmw && leaves_dead_ends_ && dead_ends_.is_known_to_have(next.graph)) return false;
  ++depth_;
  next.frames.clear();
  next.alternatives.clear();
  return !read.is_rmw || push_rmw_write();
}

}  // namespace ordeal::explore
