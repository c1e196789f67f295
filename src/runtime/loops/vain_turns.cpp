#include "runtime/loops/vain_turns.h"

#include <algorithm>

#include "runtime/loops/trace.h"
#include "runtime/native_program.h"

namespace ordeal::runtime {
namespace {

template <class T>
bool contains(const std::vector<T>& values, const T& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// An atomic access is of interest if the one by which the loop is left is to another object.
bool has_looked_at_more(const Thread& thread, int first, base::ClockEntry events) {
  const LoopTrace& spin = thread.spin;
  const auto begin = spin.steps.begin() + first, end = spin.steps.begin() + spin.count;
  const bool are_all_kept = spin.skipped == 0 && spin.distance == 1;
  return thread.last_plain > events || !are_all_kept || begin->repetitions != spin.repetitions || std::any_of(begin, end, [&](const Step& visit) { return visit.call.address != begin->call.address; });
}

/// Of an access that the thread made when it had so many events: what the last operation before it came from. It comes from no less.
std::vector<std::uint32_t> causes_at(const Thread& thread, int first, base::ClockEntry clock) {
  for (int i = thread.spin.count - 1; i >= first; --i) {
    const Step& step = thread.spin.steps[static_cast<std::size_t>(i)];
    if (step.has_outcome && step.events <= clock) return step.causes;
  }
  return {};
}

}  // namespace

void VainTurns::note(const Thread& thread, int first, base::ClockEntry events, base::ClockEntry end) {
  if (!is_on_) return;
  Turn& turn = turn_of(thread, first);
  turn.has_locks |= thread.spin.locks != thread.spin.steps[static_cast<std::size_t>(first)].locks;
  want_if_tried(turn);
  if (!has_looked_at_more(thread, first, events)) return;
  if (!are_there_) must_begin_anew_ = has_found_first_ = true;
  Shadow::for_each_since(thread.id, events, [&](const Shadow::Granule* granule, const Shadow::Trait& trait, base::ClockEntry clock) {
    if (clock >= end) return;
    Look look{granule, trait, {thread.id, static_cast<std::uint32_t>(thread.effects.size()), causes_at(thread, first, clock)}};
    if (!contains(turn.looks, look)) turn.looks.push_back(look);
    look_for_race(turn, look);
  });
}

/// Of an operation that is in the graph.
void VainTurns::collect_causes(const Thread& thread, Step& step) {
  const engine::Result& result = thread.result;
  const int threads = std::min(result.width, NativeProgram::instance->thread_count());
  for (int t = 0; t < threads; ++t) step.causes.push_back(effects_within(NativeProgram::instance->thread(t), result.porf[t]));
}

/// The turn that the thread has made since its visit `first`.
VainTurns::Turn& VainTurns::turn_of(const Thread& thread, int first) {
  std::vector<Place> places;
  for (int i = first; i < thread.spin.count; ++i) {
    const Place place{thread.id, thread.spin.steps[static_cast<std::size_t>(i)].call.site};
    if (!contains(places, place)) places.push_back(place);
  }
  for (Turn& turn : turns_)
    if (turn.places == places) return turn;
  Turn& turn = turns_.emplace_back();
  turn.places = std::move(places);
  // A turn within it is made, so it must be too.
  want(turn, times_made(turn));
  return turn;
}

int VainTurns::times_made(const Place& place) const {
  const auto found = std::find_if(made_.begin(), made_.end(), [&](const Made& made) { return made.place == place; });
  return found == made_.end() ? 0 : found->times;
}

int VainTurns::times_made(const Turn& turn) const {
  int times = 0;
  for (const Place& place : turn.places) times = std::max(times, times_made(place));
  return times;
}

void VainTurns::look_for_races() {
  for (Turn& turn : turns_)
    for (const Look& look : turn.looks) look_for_race(turn, look);
}

void VainTurns::look_for_race(Turn& turn, const Look& look) {
  if (Shadow::has_unaware(look.granule, look.trait, look.cause)) want(turn, 1);
}

void VainTurns::want(Turn& turn, int times) {
  if (turn.wanted >= times || std::all_of(turn.places.begin(), turn.places.end(), [&](const Place& place) { return times_made(place) >= times; })) return;
  turn.wanted = times;
  must_begin_anew_ = true;
}

void VainTurns::add_try(const Thread& thread) {
  const auto id = static_cast<std::size_t>(thread.id);
  if (id >= tries_.size()) tries_.resize(id + 1);
  tries_[id] = thread.spin.tries;
  for (Turn& turn : turns_) want_if_tried(turn);
}

/// Each try of another thread fails because of one turn at most.
void VainTurns::want_if_tried(Turn& turn) {
  if (!turn.has_locks) return;
  const auto self = static_cast<std::size_t>(turn.places.front().thread);
  std::uint64_t tries = 0;
  for (std::size_t t = 0; t < tries_.size(); ++t) tries += t == self ? 0 : tries_[t];
  want(turn, static_cast<int>(tries));
}

void VainTurns::begin_round() {
  must_begin_anew_ = false;
  are_there_ = has_found_first_;
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (Turn& turn : turns_) {
      const int times = std::max(turn.wanted, times_made(turn));
      for (const Place& place : turn.places) {
        if (times_made(place) >= times) continue;
        std::erase_if(made_, [&](const Made& made) { return made.place == place; });
        made_.push_back({place, times});
        is_more = true;
      }
    }
  }
}

}  // namespace ordeal::runtime
