#include "runtime/loops/kept_turns.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "runtime/loops/configuration.h"
#include "runtime/loops/rules.h"
#include "runtime/loops/speculation.h"
#include "runtime/loops/take_over.h"
#include "runtime/native_program.h"

namespace ordeal::runtime {
namespace {

using trace::KeptBy, trace::KeptOperation;

constexpr int kMostBetween = 6;  // as in rules.cpp: a rule may still stop a thread so many operations later

NativeProgram& program() { return *NativeProgram::instance; }
const Step& step(const LoopTrace& trace, int i) { return trace.steps[static_cast<std::size_t>(i)]; }

bool is_same(const CodePlace& one, const CodePlace& other) {
  return one.site == other.site && std::equal(one.callers, one.callers + one.callers_count, other.callers, other.callers + other.callers_count);
}

CodePlace place_of(const Step& step) {
  CodePlace place{step.call.site, std::min<int>(step.callers_count, CodePlace::kMostCallers)};
  std::copy_n(step.callers, place.callers_count, place.callers);
  return place;
}

/// Not 0.
std::uint32_t name_of(const Step& step) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  std::uint64_t sum = (step.call.site ^ step.registers[6] << 32) * kFactor;
  for (int i = 0; i < step.callers_count; ++i) sum = ((sum << 7 | sum >> 57) ^ step.callers[i]) * kFactor;
  return static_cast<std::uint32_t>(sum >> 32) | 1U << 31;
}

std::uint32_t low(std::uint64_t number) { return static_cast<std::uint32_t>(number); }

/// The last one, or the one that gives way to it.
KeptTrace::Visit& visit_of(KeptTrace& kept, std::uint32_t name) {
  auto& set = kept.visits[name % KeptTrace::kSets];
  const std::uint32_t bit = 1U << name % KeptTrace::kSets;
  if ((kept.sets_in_use & bit) == 0) std::fill(std::begin(set), std::end(set), KeptTrace::Visit{});
  kept.sets_in_use |= bit;
  KeptTrace::Visit* oldest = set;
  for (KeptTrace::Visit& visit : set) {
    if (visit.name == name) return visit;
    if (visit.name == 0 || (oldest->name != 0 && visit.operation < oldest->operation)) oldest = &visit;
  }
  return *oldest;
}

KeptOperation operation_of(const Call& call) {
  switch (call.kind) {
    case Call::Kind::kLoad: return KeptOperation::kLoad;
    case Call::Kind::kRmw: return KeptOperation::kReadModifyWrite;
    case Call::Kind::kCompareExchange: return KeptOperation::kCompareExchange;
    default: return KeptOperation::kCall;
  }
}

/// A thread that is alone explores nothing.
bool is_of_interest(const Thread& thread) { return reduces_loops && !is_testing && !thread.is_alone && program().explores_all(); }

/// Why the earlier of two reads may not read what the later one did. False: it may.
bool is_refused(const Call& earlier, const Call& later, KeptBy& why) {
  switch (why_refused(earlier, later)) {
    case OrderRefuses::kNothing: return false;
    case OrderRefuses::kAcquire: why = KeptBy::kAcquire; break;
    case OrderRefuses::kSeqCst: why = KeptBy::kSeqCst; break;
    case OrderRefuses::kBarrier: why = KeptBy::kBarrier; break;
  }
  return true;
}

/// Whether these two would do for rule B, but for their orders.
bool are_reads_of_one(const Step& earlier, const Step& later, const Step& now) {
  const Call &r = earlier.call, &c = later.call;
  return earlier.has_outcome && earlier.effects == later.effects && r.address == c.address && r.size == c.size && r.size <= 8 && earlier.holds == later.holds && earlier.time == now.time &&
         is_read_only(c, later.outcome) && is_read_only(r, outcome_with(r, later.outcome.value));
}

/// The thread's step at the last visit; nullptr: it is not kept any more.
const Step* step_at(const LoopTrace& trace, const KeptTrace::Visit& visit) {
  for (int i = 0; i < trace.count; ++i)
    if (low(step(trace, i).operation) == visit.operation) return &step(trace, i);
  return nullptr;
}

/// In the turn.
const Step* spurious_failure(const LoopTrace& trace, const KeptTrace::Visit& before) {
  for (int i = trace.count; i-- > 0 && low(step(trace, i).operation) >= before.operation;)
    if (step(trace, i).failed_spuriously) return &step(trace, i);
  return nullptr;
}

/// What is different now.
KeptBy difference(const Thread& thread, const Step& then, const Step& now) {
  if (then.holds != now.holds) return KeptBy::kHeldLock;
  if (then.looks != now.looks) return KeptBy::kClock;
  return is_same_memory(thread.spin, then) ? KeptBy::kOwnState : KeptBy::kPlainWrite;
}

std::vector<trace::CodeAddress> stack_of(const CodePlace& place) {
  std::vector<trace::CodeAddress> stack;
  if (place.site == 0) return stack;
  stack.push_back(place.site);
  stack.insert(stack.end(), place.callers, place.callers + place.callers_count);
  return stack;
}

}  // namespace

KeptTrace& KeptTrace::operator=(const KeptTrace& other) {
  sets_in_use = other.sets_in_use;
  for (std::uint32_t left = sets_in_use; left != 0; left &= left - 1) {
    const int set = std::countr_zero(left);
    std::copy(std::begin(other.visits[set]), std::end(other.visits[set]), visits[set]);
  }
  open_count = other.open_count;
  std::copy_n(other.open, open_count, open);
  effect = other.effect;
  effect_at.site = other.effect_at.site;
  effect_at.callers_count = other.effect_at.callers_count;
  std::copy_n(other.effect_at.callers, effect_at.callers_count, effect_at.callers);
  return *this;
}

void remember_effect(Thread& thread, KeptBy what, std::uintptr_t site) {
  if (is_testing) return;
  KeptTrace& trace = thread.kept;
  trace.effect = what;
  trace.effect_at.site = site;
  trace.effect_at.callers_count = site == 0 ? 0 : std::min<int>(CodePlace::kMostCallers, static_cast<int>(thread.frames.size()));
  for (int i = 0; i < trace.effect_at.callers_count; ++i) trace.effect_at.callers[i] = thread.frames[thread.frames.size() - 1 - static_cast<std::size_t>(i)].caller;
}

void KeptTurns::arrive(Thread& thread, const Step& now) {
  if (!is_of_interest(thread)) return;
  const bool is_new = !thread.result.next_is_known;
  settle(thread, is_new);
  const std::uint32_t name = name_of(now);
  const KeptTrace::Visit before = std::exchange(visit_of(thread.kept, name), {name, low(now.operation), low(now.effects), low(thread.spin.locks)});
  if (before.name == name) come_round(thread, now, before, is_new);
}

void KeptTurns::come_round(Thread& thread, const Step& now, const KeptTrace::Visit& before, bool is_new) {
  if (before.effects != low(now.effects)) {
    if (is_new) note(now, thread.kept.effect, thread.kept.effect_at);
    return;
  }
  if (now.turns_made > 0) {  // it is in the configuration of the last visit
    const bool has_locks = before.locks != low(thread.spin.locks) && program().vain_turns().are_made_for_tries(thread.id);
    if (is_new) note(now, has_locks ? KeptBy::kLock : KeptBy::kRace);
    return;
  }
  if (now.call.kind == Call::Kind::kSync || is_kept_by_order(thread, now, before, is_new)) return;
  open(thread, now, before);
}

bool KeptTurns::is_kept_by_order(const Thread& thread, const Step& now, const KeptTrace::Visit& before, bool is_new) {
  const LoopTrace& trace = thread.spin;
  if (!takes_over) return false;
  for (int c = trace.count - 1; c > 0 && c >= trace.count - 1 - kMostBetween && low(step(trace, c).operation) >= before.operation; --c) {
    const Step& later = step(trace, c);
    if (!later.has_outcome || later.operation + static_cast<std::uint64_t>(trace.count - c) != now.operation) return false;
    for (int r = c - 1; r >= 0 && step(trace, r).effects == later.effects; --r) {
      const Step& earlier = step(trace, r);
      Turn turn{place_of(later), place_of(earlier), operation_of(later.call), operation_of(earlier.call), KeptBy::kAcquire};
      if (!are_reads_of_one(earlier, later, now) || !is_refused(earlier.call, later.call, turn.by)) continue;
      Turn* const known = turn_of(turn);
      if (known == nullptr || !is_only_order(thread, now, r, c, *known, is_new)) continue;
      known->times += is_new ? 1 : 0;
      return true;
    }
  }
  return false;
}

/// Whether the thread would be where it is if the earlier operation had read what the later one did.
bool KeptTurns::is_only_order(const Thread& thread, const Step& now, int earlier, int later, Turn& turn, bool is_new) {
  if (turn.times > 0) return true;
  if (!is_new || turn.tries == kMostTries) return false;
  ++turn.tries;
  const LoopTrace& trace = thread.spin;
  const Step& from = step(trace, earlier);
  const std::span<const Step> between(trace.steps.data() + later + 1, static_cast<std::size_t>(trace.count - later - 1));
  const std::uintptr_t next = between.empty() ? now.call.site : between.front().call.site;
  if (!CodePaths::may_lead_to(from.call.site, next) || !CodePaths::are_seen(from.call.site)) return false;
  return Speculation::run(thread, from, outcome_with(from.call, step(trace, later).outcome.value), between) && Speculation::came_to(thread, now);
}

/// It is not known yet whether the turn is kept.
void KeptTurns::open(Thread& thread, const Step& now, const KeptTrace::Visit& before) {
  KeptTrace& kept = thread.kept;
  if (kept.open_count == KeptTrace::kMostOpen) return;
  Turn turn{place_of(now), {}, operation_of(now.call), KeptOperation::kLoad, KeptBy::kOwnState};
  const Step* const then = step_at(thread.spin, before);
  if (has_hidden_code(thread)) {
    turn.by = is_known_to_have_hidden_code(thread) ? KeptBy::kHiddenCode : KeptBy::kUnknownCode;
  } else if (then != nullptr && is_same_configuration(thread, *then, now)) {
    return;  // it waits
  } else if (const Step* failed = spurious_failure(thread.spin, before); failed != nullptr) {
    turn.by = KeptBy::kSpuriousFailure;
    turn.because = place_of(*failed);
  } else if (!takes_over) {
    turn.by = KeptBy::kLoadBuffering;
  } else if (!CodePaths::are_seen(now.call.site)) {
    turn.by = KeptBy::kUnknownCode;
  } else if (then != nullptr) {
    turn.by = difference(thread, *then, now);
  }
  const Turn* const known = turn_of(turn);
  if (known != nullptr) kept.open[kept.open_count++] = {low(static_cast<std::uint64_t>(known - turns_.data())), low(now.operation)};
}

/// Turns after which the thread has made so many operations that no rule looks at them any more.
void KeptTurns::settle(Thread& thread, bool is_new) {
  KeptTrace& kept = thread.kept;
  int left = 0;
  for (int i = 0; i < kept.open_count; ++i) {
    const KeptTrace::Open open = kept.open[i];
    if (low(thread.operations) - open.operation <= kMostBetween) kept.open[left++] = open;
    else if (is_new && open.turn < turns_.size()) ++turns_[open.turn].times;
  }
  kept.open_count = left;
}

void KeptTurns::end(Thread& thread) {
  KeptTrace& kept = thread.kept;
  for (int i = 0; i < kept.open_count; ++i)
    if (kept.open[i].turn < turns_.size()) ++turns_[kept.open[i].turn].times;
  kept.open_count = 0;
}

void KeptTurns::note(const Step& now, KeptBy by, const CodePlace& because) {
  Turn* const turn = turn_of({place_of(now), because, operation_of(now.call), KeptOperation::kLoad, by});
  if (turn != nullptr) ++turn->times;
}

KeptTurns::Turn* KeptTurns::turn_of(const Turn& turn) {
  const auto found = std::find_if(turns_.begin(), turns_.end(), [&](const Turn& other) {
    return other.by == turn.by && other.operation == turn.operation && is_same(other.place, turn.place) && is_same(other.because, turn.because);
  });
  if (found != turns_.end()) return &*found;
  if (turns_.size() == kMostTurns) return nullptr;
  turns_.push_back(turn);
  return &turns_.back();
}

std::vector<trace::KeptTurn> KeptTurns::all() const {
  std::vector<trace::KeptTurn> all;
  for (const Turn& turn : turns_)
    if (turn.times > 0) all.push_back({turn.operation, turn.by, turn.times, stack_of(turn.place), turn.because_operation, stack_of(turn.because)});
  return all;
}

}  // namespace ordeal::runtime
