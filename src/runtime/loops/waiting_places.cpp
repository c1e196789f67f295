#include "runtime/loops/waiting_places.h"

#include <algorithm>
#include <iterator>

#include "runtime/loops/configuration.h"
#include "runtime/native_program.h"
#include "runtime/shadow.h"

namespace ordeal::runtime {
namespace {

constexpr std::uint64_t kExecutionsAMissed = 4;
constexpr int kMostRounds = 24;
constexpr std::size_t kMostPlaces = 100'000;

template <class T>
void add_if_new(std::vector<T>& values, const T& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

Digest with_memory(Digest digest, const std::vector<Range>& ranges) {
  for (const Range& range : ranges) range.add_to(digest);
  return digest;
}

}  // namespace

int WaitingPlaces::find(const Digest& state, const std::vector<Range>& ranges) const {
  const auto found = numbers_.find(with_memory(state, ranges));
  return found == numbers_.end() ? -1 : found->second;
}

int WaitingPlaces::arrive(Thread& thread, Step& now) {
  now.has_state = false;
  if (!is_on_) return -1;
  const int place = arrive_alone(thread, now);
  if (place >= 0) {
    thread.spin.first_event = thread.hb[thread.id];
    return place;
  }
  if (!last_reads_.may_be_one(now)) return -1;
  const std::vector<Range> read{Range{now.call.address, now.call.size, false, true}};
  const int last = is_unsteady(read.front()) ? -1 : last_reads_.arrive(thread, now, values_);
  return last >= 0 && relies_on(thread, read) ? last : -1;
}

/// What is known about the operation as a turn of its own.
int WaitingPlaces::arrive_alone(Thread& thread, Step& now) {
  if ( !sites_.contains(now.call.site) || NativeProgram::instance->vain_turns().are_made(thread.id, now.call.site)) return -1;
  now.state = digest_of(thread, now);
  now.has_state = true;
  now.looks_before = thread.spin.looked_at_count;
  thread.spin.collects = true;
  const auto state = states_.find(now.state);
  if (state == states_.end() || state->second.is_unsteady || !relies_on(thread, state->second.ranges)) return -1;
  const int place = find(now.state, state->second.ranges);
  return place >= 0 && static_cast<std::size_t>(place) < has_values_.size() && has_values_[static_cast<std::size_t>(place)] ? place : -1;
}

void WaitingPlaces::note_round(const Thread& thread, int first) {
  const LoopTrace& spin = thread.spin;
  const int length = spin.count - first;
  if (!is_on_ || length > 2 || spin.skipped != 0 || spin.distance != 1) return;  // (some visits are not kept)
  bool is_new = false;
  for (int i = first; i < spin.count; ++i) {
    const Step& visit = spin.steps[static_cast<std::size_t>(i)];
    objects_.try_emplace(visit.call.address);
    is_new |= sites_.insert(visit.call.site).second;
  }
  const Step &one = spin.steps[static_cast<std::size_t>(first)], &last = spin.steps[static_cast<std::size_t>(spin.count - 1)];
  if (!one.has_outcome || !last.has_outcome || numbers_.size() >= kMostPlaces) return;
  if (!one.has_state || !last.has_state) {
    missed_ += is_new ? 0 : 1;
    return;
  }
  if (one.looks != spin.looks || one.time != thread.time || spin.looked_at_count > TracePosition::kMostLooks) return;
  if (one.could_have_failed || last.could_have_failed) return;
  if (length == 2 && (one.failed_spuriously || last.failed_spuriously)) return;
  if (length == 2) return learn_pair(thread, one, last);
  const int place = learn_place(thread, one, static_cast<std::size_t>(one.looks_before));
  if (place < 0) return;
  Learnt& learnt = one.failed_spuriously ? learnt_spurious_ : learnt_values_;
  const model::Value value = one.failed_spuriously ? 0 : static_cast<model::Value>(one.outcome.value);
  missed_ += learnt.in_this_round.contains(place, value) ? 1 : 0;
  if (learnt.all.contains(place, value)) return;  // (if it was known when the round began, it is not used for some reason)
  learnt.all.add(place, value);
  learnt.in_this_round.add(place, value);
}

/// The number of the place where the visit was, with all that has been looked at since. -1: some of that is unsteady.
int WaitingPlaces::learn_place(const Thread& thread, const Step& visit, std::size_t first_look) {
  State& state = states_[visit.state];
  for (auto i = first_look; i < static_cast<std::size_t>(thread.spin.looked_at_count); ++i) {
    const Range& range = thread.spin.looked_at[i];
    if (is_unsteady(range)) state.is_unsteady = true;
    add_if_new(state.next_ranges, range);
  }
  if (state.is_unsteady) return -1;
  return numbers_.try_emplace(with_memory(visit.state, state.next_ranges), static_cast<int>(numbers_.size())).first->second;
}

void WaitingPlaces::learn_pair(const Thread& thread, const Step& first, const Step& second) {
  const int other = learn_place(thread, second, static_cast<std::size_t>(first.looks_before));
  look_at_all_of(second.state, first.state);
  if (second.call.address != first.call.address) add_if_new(states_[first.state].next_ranges, Range{second.call.address, 1, true, true});
  const int place = learn_place(thread, first, static_cast<std::size_t>(first.looks_before));
  if (place < 0 || other < 0) return;
  auto pair = std::find_if(pairs_.begin(), pairs_.end(), [&](const FirstOfTwo& p) { return p.place == place && p.value == static_cast<model::Value>(first.outcome.value) && p.second == other; });
  if (pair == pairs_.end()) pair = pairs_.insert(pairs_.end(), {place, static_cast<model::Value>(first.outcome.value), other, second.call.address, {}, first.state, second.state, rounds_});
  const std::size_t known = pair->leading_back.size();
  add_if_new(pair->leading_back, static_cast<model::Value>(second.outcome.value));
  if (pair->leading_back.size() > known) pair->round = rounds_;
  else missed_ += pair->round == rounds_ ? 1 : 0;
}

/// The first of two operations depends on all that the second does.
void WaitingPlaces::look_at_all_of(const Digest& second, const Digest& first) {
  if (second == first) return;
  State& state = states_[first];
  for (const Range& range : states_[second].next_ranges) add_if_new(state.next_ranges, range);
}

/// Whether all others whose accesses would conflict with those of the round made them before, in happens-before. From here on
/// nobody else must.
bool WaitingPlaces::relies_on(Thread& thread, const std::vector<Range>& ranges) {
  LoopTrace& spin = thread.spin;
  for (const Range& range : ranges) {
    if (Shadow::would_race({range.begin, range.size, range.is_written, range.is_atomic, thread.id}, thread.hb)) {
      give_up_range(range);
      return false;
    }
    ReliedOn* const end = spin.relied_on + spin.relied_on_count;
    ReliedOn* const found = std::find_if(spin.relied_on, end, [&](const ReliedOn& one) { return one.range == range; });
    if (found == end && spin.relied_on_count == TracePosition::kMostLooks) return false;
    spin.relied_on_count += found == end ? 1 : 0;
    *found = {range, thread.hb[thread.id]};
  }
  return true;
}

void WaitingPlaces::note_access_of_watched(const Thread& thread, const Range& range) {
  for (int i = 0; i < NativeProgram::instance->thread_count(); ++i) {
    const Thread& other = NativeProgram::instance->thread(i);
    if (i == thread.id || other.state == Thread::State::kUnused) continue;
    for (int j = 0; j < other.spin.relied_on_count; ++j) {
      const ReliedOn& relied_on = other.spin.relied_on[j];
      if (thread.hb[i] <= relied_on.clock && relied_on.range.conflicts_with(range)) give_up_range(relied_on.range);
    }
  }
}

void WaitingPlaces::give_up_range(const Range& range) {
  add_if_new(unsteady_, Range{range});
  is_broken_ = true;
}

bool WaitingPlaces::is_unsteady(const Range& range) const {
  return std::any_of(unsteady_.begin(), unsteady_.end(), [&](const Range& other) { return other.overlaps(range); });
}

void WaitingPlaces::note_value_of_known(std::uintptr_t address, model::Value value) {
  const auto found = objects_.find(address);
  if (found == objects_.end()) return;
  Object& object = found->second;
  add_if_new(object.seen, value);
  for (const std::vector<model::Value>& allowed : object.allowed)
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) object.is_banned = is_broken_ = true;
}

bool WaitingPlaces::wants_new_round(std::uint64_t executions) const {
  if (must_begin_anew()) return true;
  return is_on_ && rounds_ < kMostRounds && executions >= shortest_round_ && missed_ * kExecutionsAMissed >= executions;
}

void WaitingPlaces::forget() {
  states_.clear();
  numbers_.clear();
  pairs_.clear();
  learnt_values_ = learnt_spurious_ = {};
}

void WaitingPlaces::begin_round() {
  ++rounds_;
  missed_ = 0;
  shortest_round_ += shortest_round_ / 2;
  is_broken_ = false;
  if (is_given_up_) is_on_ = false;
  for (const FirstOfTwo& pair : pairs_) look_at_all_of(pair.second_state, pair.first_state);
  last_reads_.begin_round(static_cast<int>(numbers_.size()));
  has_written_ranges_ = false;
  has_ranges_ = last_reads_.are_there();
  for (auto& [digest, state] : states_) {
    state.is_unsteady = std::any_of(state.next_ranges.begin(), state.next_ranges.end(), [&](const Range& range) { return is_unsteady(range); });
    state.ranges = state.next_ranges;
    if (state.is_unsteady) continue;
    has_ranges_ |= !state.ranges.empty();
    has_written_ranges_ |= std::any_of(state.ranges.begin(), state.ranges.end(), [](const Range& range) { return range.is_written; });
  }
  for (auto& [address, object] : objects_) object.allowed.clear();
  values_ = learnt_values_.all;
  spurious_ = learnt_spurious_.all;
  learnt_values_.in_this_round.clear();
  learnt_spurious_.in_this_round.clear();
  for (const FirstOfTwo& pair : pairs_) rely_on(pair);
  has_values_.assign(numbers_.size(), false);
  for (std::size_t place = 0; place < has_values_.size(); ++place) has_values_[place] = values_.has_any(static_cast<std::int32_t>(place));
}

/// If the second operation waits or leads back, whatever its object was ever seen to hold.
void WaitingPlaces::rely_on(const FirstOfTwo& pair) {
  Object& object = objects_[pair.address];
  if (object.is_banned || NativeProgram::instance->given_back().is_watched(pair.address)) return;  // (each read of a watched one is made)
  std::vector<model::Value> allowed = pair.leading_back;
  for (const model::Value value : object.seen)
    if (learnt_values_.all.contains(pair.second, value)) add_if_new(allowed, value);
  const bool is_all = std::all_of(object.seen.begin(), object.seen.end(), [&](model::Value value) { return std::find(allowed.begin(), allowed.end(), value) != allowed.end(); });
  if (!is_all || object.seen.empty()) return;
  object.allowed.push_back(std::move(allowed));
  values_.add(pair.place, pair.value);
}

}  // namespace ordeal::runtime
