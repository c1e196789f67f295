// Traces to test with.
#pragma once

#include <string>

#include "base/rng.h"
#include "trace/run_result.h"

namespace ordeal::trace::testing {

using model::EventKind;
using model::MemoryOrder;

/// x=7 ∥ r=x, with every field in use somewhere.
inline Trace sample() {
  Trace trace;
  trace.program = "mp.litmus";
  trace.model = "sc";
  trace.threads = {"P0", "P1"};
  trace.locations = {{"x", 0, 0, 0}, {"y", -5, 0x7f10, 4}};
  trace.objects = {{0x7f00, 32, 0, {0x4010, 0x4120}, -1, {}}, {0x8000, 8, 1, {0x4010}, 0, {0x4055}}};
  TraceEvent write{.name = {0, 0},
                   .kind = EventKind::kWrite,
                   .location = 0,
                   .value = 7,
                   .rf = {},
                   .mo_position = 1,
                   .inserted = 2,
                   .line = 4,
                   .stack = {}};
  TraceEvent read{.name = {1, 0},
                  .kind = EventKind::kRead,
                  .order = MemoryOrder::kAcquire,
                  .location = 0,
                  .value = 7,
                  .rf = {0, 0},
                  .line = 9,
                  .stack = {0x4188, 0xffffffffffffffff}};
  TraceEvent half{.name = {1, 1},
                  .kind = EventKind::kRead,
                  .order = MemoryOrder::kAcqRel,
                  .is_rmw = true,
                  .location = 1,
                  .value = -5,
                  .rf = {-1, 1},
                  .inserted = 1,
                  .stack = {}};
  TraceEvent rest{.name = {1, 2},
                  .kind = EventKind::kWrite,
                  .order = MemoryOrder::kAcqRel,
                  .is_rmw = true,
                  .location = 1,
                  .value = -4,
                  .rf = {},
                  .mo_position = 1,
                  .inserted = 3,
                  .stack = {}};
  TraceEvent fails{.name = {0, 1},
                   .kind = EventKind::kRead,
                   .failed_spuriously = true,
                   .location = 1,
                   .value = -4,
                   .rf = {1, 2},
                   .inserted = 4,
                   .stack = {}};
  TraceEvent fence{
      .name = {0, 2}, .kind = EventKind::kFence, .order = MemoryOrder::kSeqCst, .rf = {}, .inserted = 5, .stack = {}};
  TraceEvent join{.name = {0, 3}, .kind = EventKind::kJoin, .rf = {}, .inserted = 6, .stack = {0x4190}, .other = 1};
  trace.events = {write, read, half, rest, fails, fence, join};
  return trace;
}

inline std::string random_bytes(base::Rng& rng, int longest) {
  std::string text;
  for (int length = rng.below(longest + 1); length > 0; --length)
    text += rng.chance(50) ? static_cast<char>(rng.below(256)) : "\"\\\n\r\0 xn.="[rng.below(10)];
  return text;
}

inline std::vector<CodeAddress> random_stack(base::Rng& rng) {
  std::vector<CodeAddress> stack;
  for (int depth = rng.chance(50) ? 0 : rng.below(4); depth > 0; --depth) stack.push_back(rng.next() >> rng.below(64));
  return stack;
}

inline TraceObject random_object(base::Rng& rng) {
  TraceObject object;
  object.address = rng.next();
  object.size = rng.next() >> rng.below(64);
  object.thread = rng.below(4) - 1;
  object.allocated = random_stack(rng);
  object.freed_by = rng.below(4) - 1;
  if (object.freed_by >= 0) object.freed = random_stack(rng);
  if (rng.chance(30)) object.frame = rng.next();
  if (rng.chance(30)) object.module = rng.next();
  return object;
}

/// Any trace that keeps the promises of format.h.
inline Trace random_trace(base::Rng& rng) {
  Trace trace;
  trace.program = random_bytes(rng, 12);
  trace.model = random_bytes(rng, 6);
  trace.ending = rng.chance(50) ? engine::Ending::kComplete : engine::Ending::kBlocked;
  for (int t = rng.below(4); t >= 0; --t) trace.threads.push_back(random_bytes(rng, 5));
  for (int l = rng.below(4); l >= 0; --l)
    trace.locations.push_back({random_bytes(rng, 5), static_cast<model::Value>(rng.next()),
                               rng.chance(50) ? 0 : rng.next(), static_cast<std::uint32_t>(rng.below(9))});
  for (int o = rng.below(3); o > 0; --o) trace.objects.push_back(random_object(rng));
  std::vector<std::int32_t> count(trace.threads.size(), 0);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(rng.below(static_cast<int>(bound))); };
  for (int i = rng.below(12); i > 0; --i) {
    TraceEvent event;
    event.name.thread = static_cast<std::int32_t>(below(trace.threads.size()));
    event.name.index = count[static_cast<std::size_t>(event.name.thread)]++;
    event.kind = static_cast<EventKind>(rng.below(7));
    event.order = static_cast<MemoryOrder>(rng.below(6));
    event.value = rng.chance(30) ? 0 : static_cast<model::Value>(rng.next());
    event.line = rng.chance(50) ? 0 : static_cast<std::uint32_t>(rng.next());
    if (event.kind <= EventKind::kWrite) {
      event.location = static_cast<std::int32_t>(below(trace.locations.size()));
      event.is_rmw = rng.chance(30);
    }
    if (event.kind == EventKind::kCreate || event.kind == EventKind::kJoin) event.other = rng.below(4) - 1;
    event.stack = random_stack(rng);
    if (event.kind == EventKind::kWrite && rng.chance(50)) event.mo_position = 1 + rng.below(9);
    if (event.kind == EventKind::kRead) {
      event.failed_spuriously = rng.chance(20);
      event.rf = {-1, event.location};
      for (const TraceEvent& source : trace.events)
        if (source.kind == EventKind::kWrite && source.location == event.location && rng.chance(50))
          event.rf = source.name;
    }
    trace.events.push_back(event);
  }
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < trace.events.size(); ++i) places.push_back(i);
  for (TraceEvent& event : trace.events) {
    const std::size_t at = below(places.size());
    event.inserted = places[at];
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return trace;
}

inline std::vector<std::string> random_texts(base::Rng& rng) {
  std::vector<std::string> texts;
  for (int count = rng.below(3); count > 0; --count) texts.push_back(random_bytes(rng, 9));
  return texts;
}

inline std::vector<Party> random_parties(base::Rng& rng) {
  std::vector<Party> parties;
  for (int count = rng.below(3); count > 0; --count)
    parties.push_back({rng.below(4) - 1, random_bytes(rng, 9), rng.chance(50) ? 0 : rng.next(), rng.below(4) - 1, random_stack(rng)});
  return parties;
}

inline Bug random_bug(base::Rng& rng) {
  Bug bug;
  bug.kind = static_cast<BugKind>(rng.below(15));
  bug.message = random_bytes(rng, 9);
  bug.address = rng.chance(50) ? 0 : rng.next();
  bug.size = static_cast<std::uint32_t>(rng.below(9));
  bug.parties = random_parties(rng);
  bug.count = rng.next();
  bug.first = rng.chance(50) ? 0 : rng.next();
  bug.output = random_bytes(rng, 9);
  bug.trace = random_trace(rng);
  return bug;
}

/// Any result that keeps the promises of run_result_format.h.
inline std::vector<KeptTurn> random_kept_turns(base::Rng& rng) {
  std::vector<KeptTurn> turns;
  for (int count = rng.below(3); count > 0; --count) {
    KeptTurn turn{static_cast<KeptOperation>(rng.below(4)), static_cast<KeptBy>(rng.below(24)), rng.next(), random_stack(rng), KeptOperation::kLoad, random_stack(rng)};
    if (!turn.because.empty()) turn.because_operation = static_cast<KeptOperation>(rng.below(4));
    turns.push_back(turn);
  }
  return turns;
}

inline RunResult random_result(base::Rng& rng) {
  RunResult result;
  result.verdict = static_cast<Verdict>(rng.below(5));
  result.model = random_bytes(rng, 6);
  result.options = random_texts(rng);
  result.arguments = random_texts(rng);
  result.executions = rng.next();
  result.blocked = rng.next();
  result.seconds = static_cast<double>(rng.next()) * (rng.chance(50) ? 1e-22 : 1e3);
  result.threads = static_cast<std::uint32_t>(rng.next());
  if (rng.chance(50)) {
    result.strategy = "p" + random_bytes(rng, 6);
    result.seed = rng.next();
    result.first = rng.next();
    result.atomics = rng.next();
    result.failed = rng.next();
  }
  result.bounds = random_texts(rng);
  result.notes = random_texts(rng);
  result.cannot_check = random_bytes(rng, 9);
  result.where = random_stack(rng);
  result.parties = random_parties(rng);
  result.kept_turns = random_kept_turns(rng);
  for (int count = rng.below(3); count > 0; --count)
    result.modules.push_back({random_bytes(rng, 9), rng.next(), rng.next(), random_bytes(rng, 4)});
  for (int count = rng.below(3); count > 0; --count) result.bugs.push_back(random_bug(rng));
  return result;
}

}  // namespace ordeal::trace::testing
