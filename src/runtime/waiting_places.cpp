#include "runtime/waiting_places.h"

#include <algorithm>
#include <iterator>

#include "runtime/spin.h"

namespace ordeal::runtime {
namespace {

constexpr std::uint64_t kExecutionsAMissed = 4;
constexpr int kMostRounds = 24;
constexpr std::size_t kMostPlaces = 100'000;

void add_if_new(std::vector<model::Value>& values, model::Value value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

Digest digest_of(const Thread& thread, const SpinVisit& visit) {
  Digest digest;
  digest.add(static_cast<std::uint64_t>(thread.id));
  digest.add(visit.site);
  digest.add(visit.asked);
  digest.add(visit.holds);
  digest.add(static_cast<std::uint64_t>(visit.time));
  add_visit(digest, visit);
  return digest;
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

int WaitingPlaces::arrive(Thread& thread, SpinVisit& now) {
  now.has_state = now.has_value = now.failed_spuriously = false;
  if (!is_on_ || !sites_.contains(now.site)) return -1;
  now.state = digest_of(thread, now);
  now.has_state = true;
  now.looks_before = thread.spin.looked_at_count;
  thread.spin.collects = true;
  const auto state = states_.find(now.state);
  if (state == states_.end()) return -1;
  const int place = find(now.state, state->second.ranges);
  return place >= 0 && static_cast<std::size_t>(place) < has_values_.size() && has_values_[static_cast<std::size_t>(place)] ? place : -1;
}

void WaitingPlaces::note_round(const Thread& thread, int first) {
  const SpinState& spin = thread.spin;
  const int length = spin.count - first;
  if (!is_on_ || length > 2 || spin.steps != 0 || spin.distance != 1) return;  // (some visits are not kept)
  bool is_new = false;
  for (int i = first; i < spin.count; ++i) {
    const SpinVisit& visit = spin.visits[static_cast<std::size_t>(i)];
    objects_.try_emplace(visit.object);
    is_new |= sites_.insert(visit.site).second;
  }
  const SpinVisit &one = spin.visits[static_cast<std::size_t>(first)], &last = spin.visits[static_cast<std::size_t>(spin.count - 1)];
  if (!one.has_value || !last.has_value || numbers_.size() >= kMostPlaces) return;
  if (!one.has_state || !last.has_state) {
    missed_ += is_new ? 0 : 1;
    return;
  }
  if (one.looks != spin.looks || one.time != thread.time || spin.looked_at_count > SpinPosition::kMostLooks) return;
  if (length == 2 && (one.failed_spuriously || last.failed_spuriously)) return;
  if (length == 2) return learn_pair(thread, one, last);
  const int place = learn_place(thread, one, static_cast<std::size_t>(one.looks_before));
  model::UselessValues& learnt = one.failed_spuriously ? learnt_spurious_ : learnt_values_;
  const model::Value value = one.failed_spuriously ? 0 : one.value;
  missed_ += learnt.contains(place, value) ? 1 : 0;
  learnt.add(place, value);
}

/// The number of the place where the visit was, with all that has been looked at since.
int WaitingPlaces::learn_place(const Thread& thread, const SpinVisit& visit, std::size_t first_look) {
  State& state = states_[visit.state];
  for (auto i = first_look; i < static_cast<std::size_t>(thread.spin.looked_at_count); ++i) {
    const Range& range = thread.spin.looked_at[i];
    if (std::find(state.next_ranges.begin(), state.next_ranges.end(), range) == state.next_ranges.end()) state.next_ranges.push_back(range);
  }
  return numbers_.try_emplace(with_memory(visit.state, state.next_ranges), static_cast<int>(numbers_.size())).first->second;
}

void WaitingPlaces::learn_pair(const Thread& thread, const SpinVisit& first, const SpinVisit& second) {
  const int place = learn_place(thread, first, static_cast<std::size_t>(first.looks_before));
  const int other = learn_place(thread, second, static_cast<std::size_t>(first.looks_before));
  auto pair = std::find_if(pairs_.begin(), pairs_.end(), [&](const FirstOfTwo& p) { return p.place == place && p.value == first.value && p.second == other; });
  if (pair == pairs_.end()) pair = pairs_.insert(pairs_.end(), {place, first.value, other, second.object, {}});
  const std::size_t known = pair->leading_back.size();
  add_if_new(pair->leading_back, second.value);
  missed_ += pair->leading_back.size() == known ? 1 : 0;
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

void WaitingPlaces::begin_round() {
  ++rounds_;
  missed_ = 0;
  shortest_round_ += shortest_round_ / 2;
  is_broken_ = false;
  if (is_given_up_) is_on_ = false;
  for (auto& [digest, state] : states_) state.ranges = state.next_ranges;
  for (auto& [address, object] : objects_) object.allowed.clear();
  values_ = learnt_values_;
  spurious_ = learnt_spurious_;
  for (const FirstOfTwo& pair : pairs_) rely_on(pair);
  has_values_.assign(numbers_.size(), false);
  for (std::size_t place = 0; place < has_values_.size(); ++place) has_values_[place] = values_.has_any(static_cast<std::int32_t>(place));
}

/// If the second operation waits or leads back, whatever its object was ever seen to hold.
void WaitingPlaces::rely_on(const FirstOfTwo& pair) {
  Object& object = objects_[pair.address];
  if (object.is_banned) return;
  std::vector<model::Value> allowed = pair.leading_back;
  for (const model::Value value : object.seen)
    if (learnt_values_.contains(pair.second, value)) add_if_new(allowed, value);
  const bool is_all = std::all_of(object.seen.begin(), object.seen.end(), [&](model::Value value) { return std::find(allowed.begin(), allowed.end(), value) != allowed.end(); });
  if (!is_all || object.seen.empty()) return;
  object.allowed.push_back(std::move(allowed));
  values_.add(pair.place, pair.value);
}

}  // namespace ordeal::runtime
