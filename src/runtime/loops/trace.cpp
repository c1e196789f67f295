#include "runtime/loops/trace.h"

#include <algorithm>
#include <cstring>

#include "runtime/loops/configuration.h"

namespace ordeal::runtime {

namespace {

/// Whether all effects since the first `count` are fetch_adds on watched objects (given_back.h): a turn may go on beyond them.
bool are_halves(const LoopTrace& trace, std::uint64_t count) {
  const std::uint64_t since = trace.effects - count;
  const std::size_t known = trace.halves.size();
  return since <= known && trace.halves.back().effect == trace.effects && trace.halves[known - since].effect == count + 1;
}

}  // namespace

namespace {

/// Whether the last effect is an atomic write, which may yet turn out to be part of a turn: to a flag (own_flags.h), or half of a pair (given_back.h).
bool may_be_part_of_turn(const LoopTrace& trace) { return trace.last_change == trace.effects || (!trace.halves.empty() && trace.halves.back().effect == trace.effects); }

}  // namespace

void forget(LoopTrace& trace) {
  constexpr std::size_t kMostWrites = 32;
  if (!may_be_part_of_turn(trace)) forget_all(trace);
  if (trace.halves.empty() || !are_halves(trace, trace.steps_effects)) trace.place_count = 0;
  trace.steps_effects = trace.effects;
  trace.has_new_writes = false;
  trace.old_writes = trace.writes.size();
  trace.looked_at_count = 0;
  trace.collects = false;
  if (trace.distance != 1 || trace.skipped != 0 || trace.writes.size() > kMostWrites) forget_all(trace);
}

void forget_all(LoopTrace& trace) {
  trace.writes.clear();
  trace.has_new_writes = false;
  trace.old_writes = 0;
  trace.count = 0;
  trace.skipped = 0;
  trace.distance = 1;
}

void forget_steps_before(LoopTrace& trace, int count) {
  int old = 0;
  while (old < count && trace.steps[static_cast<std::size_t>(old)].effects != trace.effects) ++old;
  if (old == 0) return;
  const std::size_t writes = old < trace.count ? trace.steps[static_cast<std::size_t>(old)].writes : trace.writes.size();
  std::rotate(trace.steps.begin(), trace.steps.begin() + old, trace.steps.begin() + trace.count);
  trace.count -= old;
  trace.writes.erase(trace.writes.begin(), trace.writes.begin() + static_cast<std::ptrdiff_t>(writes));
  trace.old_writes -= std::min(trace.old_writes, writes);
  if (writes == 0) return;
  for (int i = 0; i < trace.count; ++i) changed(trace.steps[static_cast<std::size_t>(i)]).writes -= writes;
}

void note_unknown_place(Thread& thread, std::uintptr_t place) {
  LoopTrace& trace = thread.spin;
  for (int i = trace.place_count; i-- > 0;)
    if (trace.places[i] == place) return;
  if (trace.place_count == LoopTrace::kMostPlaces && !has_hidden_code(thread)) trace.place_count = 0;
  if (trace.place_count < LoopTrace::kMostPlaces) trace.places[trace.place_count++] = place;
}

namespace {

/// Whether the thread may have come by the call by pointer that returns there. Operations that are no steps are always among the places.
bool may_have_been_made(const LoopTrace& trace, std::uintptr_t call) {
  const std::set<std::uintptr_t>* const next = CodePaths::next_operations(call);
  if (next == nullptr || trace.skipped != 0 || trace.distance != 1) return true;
  const auto is_next = [&](std::uintptr_t site) { return next->contains(site); };
  return std::any_of(trace.places, trace.places + trace.place_count, is_next) ||
         std::any_of(trace.steps.begin(), trace.steps.begin() + trace.count, [&](const Step& step) { return step.effects == trace.effects && is_next(step.call.site); });
}

bool has_announced_itself(const Thread& thread, std::uintptr_t call) {
  const LoopTrace& trace = thread.spin;
  return std::find(trace.places, trace.places + trace.place_count, call) != trace.places + trace.place_count ||
         std::any_of(thread.frames.begin(), thread.frames.end(), [&](const ActiveFunction& function) { return function.caller == call; });
}

}  // namespace

bool is_known_to_have_hidden_code(const Thread& thread) {
  const LoopTrace& trace = thread.spin;
  return std::any_of(trace.places, trace.places + trace.place_count, [](std::uintptr_t place) { return CodePaths::have_hidden(place); });
}

bool has_hidden_code(const Thread& thread) {
  const LoopTrace& trace = thread.spin;
  return is_known_to_have_hidden_code(thread) || std::any_of(trace.places, trace.places + trace.place_count, [&](std::uintptr_t place) {
    const std::set<std::uintptr_t>& calls = CodePaths::pointer_calls(place);
    return std::any_of(calls.begin(), calls.end(), [&](std::uintptr_t call) { return may_have_been_made(trace, call) && !has_announced_itself(thread, call); });
  });
}

void note_plain_write(Thread& thread, std::uintptr_t address, std::size_t size) {
  settle_plain_write(thread);
  if (size > MemoryPiece::kMostBytes || !is_sure_to_be_there(thread, address)) return note_effect(thread, trace::KeptBy::kLargeWrite);
  thread.spin.last_write = MemoryPiece::of(address, size);
}

void look_at_plain_write(Thread& thread) {
  constexpr std::size_t kMostWrites = 64;
  LoopTrace& trace = thread.spin;
  if (std::memcmp(reinterpret_cast<const void*>(trace.last_write.address), trace.last_write.bytes, trace.last_write.size) != 0) {
    if (trace.steps_effects != trace.effects) forget(trace);
    trace.has_new_writes = true;
    if (trace.writes.size() < kMostWrites) trace.writes.push_back(trace.last_write);
    else note_effect(thread, trace::KeptBy::kLargeWrite);
  }
  trace.last_write.size = 0;
}

}  // namespace ordeal::runtime
