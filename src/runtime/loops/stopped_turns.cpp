#include "runtime/loops/stopped_turns.h"

#include <algorithm>
#include <span>
#include <utility>

#include "runtime/layout.h"
#include "runtime/loops/configuration.h"
#include "runtime/loops/speculation.h"
#include "runtime/loops/take_over.h"
#include "runtime/native_program.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kMostReads = 100'000;
constexpr std::size_t kMostWatched = 64;
constexpr std::size_t kMostValues = 24;  // of an object
constexpr std::size_t kLongestPath = 3;  // operations that are tried out one after the other
constexpr int kMostRuns = 256;           // for one value
constexpr int kMostRounds = 8, kMostBroken = 8;
constexpr std::uint64_t kFewExecutions = 256;  // before which nothing is worth a new round
constexpr std::uint64_t kExecutionsAMissed = 4;

NativeProgram& program() { return *NativeProgram::instance; }

bool is_atomic_read(const Step& step) {
  const bool is_read = step.call.kind == Call::Kind::kLoad || step.call.kind == Call::Kind::kCompareExchange;
  return is_read && step.call.size <= 8 && step.has_outcome && !step.failed_spuriously &&
         is_read_only(step.call, step.outcome);
}

Range range_of(const Call& call) { return {call.address, call.size, false, true}; }

}  // namespace

/// Whether the turn is one of atomic reads alone, all of which are known.
bool StoppedTurns::is_understood(const Thread& thread, int first, const Step& now) {
  const LoopTrace& trace = thread.spin;
  const auto begin = trace.steps.begin() + first, end = trace.steps.begin() + trace.count;
  if (begin == end || !are_all_kept(trace) || !has_only_read(trace, *begin, now) ||
      begin->shared_accesses != thread.shared_accesses)
    return false;
  if (program().given_back().are_there() || now.operation != begin->operation + static_cast<std::uint64_t>(end - begin))
    return false;
  const bool are_known = std::all_of(begin, end, [&](const Step& step) {
    return is_atomic_read(step) && !is_stack(step.call.address) && !program().own_flags().has(thread, step.call);
  });
  return are_known && (thread.last_plain < begin->events || program().own_stacks().rely_on(thread.id));
}

StoppedTurns::Watched* StoppedTurns::find(const Call& call) {
  const auto found =
      std::find_if(watched_.begin(), watched_.end(), [&](const Watched& one) { return one.range == range_of(call); });
  if (found != watched_.end()) return &*found;
  if (wanted_.size() < kMostWatched && std::find(wanted_.begin(), wanted_.end(), range_of(call)) == wanted_.end())
    wanted_.push_back(range_of(call));
  return nullptr;
}

bool StoppedTurns::are_all_watched(const LoopTrace& trace, int first) {
  bool are = true, may_be = true;
  for (int i = first; i < trace.count; ++i) {
    Watched* const watched = find(trace.steps[static_cast<std::size_t>(i)].call);
    are &= watched != nullptr && !watched->is_banned;
    may_be &= watched == nullptr || !watched->is_banned;
    if (watched != nullptr) watched->is_used = true;
  }
  missed_ += !are && may_be ? 1 : 0;
  return are;
}

void StoppedTurns::note(Thread& thread, int first, const Step& now) {
  latest_ = -1;
  if (!is_on_ || !is_understood(thread, first, now) || !are_all_watched(thread.spin, first) || is_looking_on_ ||
      reads_.size() >= kMostReads)
    return;
  turn_.reads.clear();
  for (int i = thread.spin.count - 1; i >= first; --i) turn_.reads.push_back(&read(thread, first, i));
  latest_ = thread.id;
}

/// Of the thread's step `i`.
const engine::StoppedTurn::Read& StoppedTurns::read(Thread& thread, int first, int i) {
  Digest key;
  key.add(static_cast<std::uint64_t>(i - first));
  const LoopTrace& trace = thread.spin;
  for (int s = 0; s <= i; ++s) {
    Step& step = thread.spin.steps[static_cast<std::size_t>(s)];
    if (step.effects != trace.effects) continue;
    if (!step.has_digest) step.digest = digest_of(thread, step);
    step.has_digest = true;
    key.add(step.digest.first);
    key.add(step.digest.second);
    key.add(has_only_read(trace, step, trace.steps[static_cast<std::size_t>(first)]) ? 1 : 0);
  }
  const auto [found, is_new] = reads_.try_emplace(key);
  if (!is_new || i == first) return found->second;
  const Step& changed = trace.steps[static_cast<std::size_t>(i)];
  const std::vector<model::Value> all = values(changed.call);
  found->second.is_known = !all.empty();
  for (const model::Value value : all) {
    Path path{thread, first, i, {}};
    Step& step = path.steps.emplace_back();
    step.call = changed.call;
    step.outcome = outcome_with(changed.call, static_cast<std::uint64_t>(value));
    if (!is_stopped(path)) found->second.useful.push_back(value);
  }
  return found->second;
}

/// All that its object was seen to hold; empty: that is not known.
std::vector<model::Value> StoppedTurns::values(const Call& call) {
  Locations& table = program().location_table();
  if (!table.is_known(call.address, call.size)) return {};
  const model::LocationId location = table.at(call.address, call.size, LocationSort::kMemory);
  if (table.has_overlaps(location) || std::as_const(table)[location].is_uninitialised) return {};
  const std::span<const model::Value> seen = seen_.values(location);
  if (seen.size() > kMostValues) return {};
  return {seen.begin(), seen.end()};
}

/// Whether the thread is stopped after the operations of the path, or comes to one after which it is, whatever that gives.
bool StoppedTurns::is_stopped(Path& path) {
  const LoopTrace& trace = path.thread.spin;
  const Step &from = trace.steps[static_cast<std::size_t>(path.changed)], &last = path.steps.back();
  if (!is_read_only(last.call, last.outcome) || ++path.runs > kMostRuns) return false;
  if (!leads_somewhere(path.thread, from, path.steps.front().outcome, std::span(path.steps).subspan(1))) return false;
  const Step there = Speculation::arrival();
  if (program().vain_turns().are_made(path.thread.id, there.call.site)) return false;
  for (int i = path.changed; i >= 0; --i) {
    const Step& then = trace.steps[static_cast<std::size_t>(i)];
    if (then.effects != trace.effects || !then.has_outcome || !Speculation::came_to_state(then)) continue;
    return i <= path.first &&
           has_only_read(trace, then, from);  // it waits, and what it has read in vain is part of that turn
  }
  return is_stopped_by_b(path, there) || is_stopped_later(path, there.call);
}

/// An earlier operation could have given what the last one of the path gave.
bool StoppedTurns::is_stopped_by_b(Path& path, const Step& there) {
  const LoopTrace& trace = path.thread.spin;
  Step last = path.steps.back();
  last.effects = trace.effects;
  last.holds = trace.holds;
  const int end = path.changed + (path.steps.size() > 1 ? 1 : 0);
  for (int r = end - 1; r >= 0; --r) {
    const Step& earlier = trace.steps[static_cast<std::size_t>(r)];
    if (!has_only_read(trace, earlier, trace.steps[static_cast<std::size_t>(path.changed)]) ||
        !may_take_place(earlier, last, last.outcome))
      continue;
    const Outcome outcome =
        is_same_operation(earlier.call, last.call) ? last.outcome : outcome_with(earlier.call, last.outcome.value);
    if (++path.runs <= kMostRuns && leads_somewhere(path.thread, earlier, outcome) && Speculation::came_to_state(there))
      return true;
  }
  return false;
}

/// `next`: where it comes to.
bool StoppedTurns::is_stopped_later(Path& path, const Call& next) {
  const bool may_read = next.kind == Call::Kind::kLoad || (next.kind == Call::Kind::kCompareExchange && !next.is_weak);
  if (!may_read || next.size > 8 || is_stack(next.address) || path.steps.size() == kLongestPath ||
      program().own_flags().has(path.thread, next))
    return false;
  Watched* const watched = find(next);
  if (watched == nullptr || watched->is_banned) return false;
  watched->is_used = true;
  const std::vector<model::Value> all = values(next);
  if (all.empty()) return false;
  path.steps.emplace_back().call = next;
  const bool is_stopped_with_all = std::all_of(all.begin(), all.end(), [&](model::Value value) {
    path.steps.back().outcome = outcome_with(next, static_cast<std::uint64_t>(value));
    return is_stopped(path);
  });
  path.steps.pop_back();
  return is_stopped_with_all;
}

void StoppedTurns::note_plain_write(const Range& range) {
  for (Watched& one : watched_) {
    if (one.is_banned || !one.range.overlaps(range)) continue;
    one.is_banned = true;
    is_broken_ |= one.is_used;
  }
}

bool StoppedTurns::is_worth_a_new_round() const {
  if (!is_on_ || wanted_.empty() || rounds_ >= kMostRounds) return false;
  return is_eager_ ? missed_ > 0 : executions_ >= kFewExecutions && missed_ * kExecutionsAMissed >= executions_;
}

void StoppedTurns::begin_round() {
  latest_ = -1;
  const bool is_wrong = must_begin_anew();
  broken_ += is_wrong ? 1 : 0;
  if (broken_ > kMostBroken) is_on_ = false;
  is_broken_ = false;
  seen_.begin_round();
  reads_.clear();
  for (Watched& one : watched_) one.is_used = false;
  wants_to_look_on_ = is_wrong;
  if (is_worth_a_new_round()) {
    ++rounds_;
    wants_to_look_on_ = true;
  }
  missed_ = executions_ = 0;
}

/// What was wanted until then is watched from now on.
void StoppedTurns::set_looking_on(bool on) {
  is_looking_on_ = on;
  wants_to_look_on_ = false;
  if (on) return;
  for (const Range& range : wanted_)
    if (watched_.size() < kMostWatched) watched_.push_back({range});
  wanted_.clear();
  missed_ = 0;
}

}  // namespace ordeal::runtime
