// Traces to test with.
#pragma once

#include <string>

#include "base/rng.h"
#include "trace/trace.h"

namespace ordeal::trace::testing {

using model::EventKind;
using model::MemoryOrder;

/// x=7 ∥ r=x, with every field in use somewhere.
inline Trace sample() {
  Trace trace;
  trace.program = "mp.litmus";
  trace.model = "sc";
  trace.threads = {"P0", "P1"};
  trace.locations = {{"x", 0}, {"y", -5}};
  TraceEvent write{.name = {0, 0},
                   .kind = EventKind::kWrite,
                   .location = 0,
                   .value = 7,
                   .rf = {},
                   .mo_position = 1,
                   .inserted = 2,
                   .line = 4};
  TraceEvent read{.name = {1, 0},
                  .kind = EventKind::kRead,
                  .order = MemoryOrder::kAcquire,
                  .location = 0,
                  .value = 7,
                  .rf = {0, 0},
                  .line = 9};
  TraceEvent half{.name = {1, 1},
                  .kind = EventKind::kRead,
                  .order = MemoryOrder::kAcqRel,
                  .is_rmw = true,
                  .location = 1,
                  .value = -5,
                  .rf = {-1, 1},
                  .inserted = 1};
  TraceEvent rest{.name = {1, 2},
                  .kind = EventKind::kWrite,
                  .order = MemoryOrder::kAcqRel,
                  .is_rmw = true,
                  .location = 1,
                  .value = -4,
                  .rf = {},
                  .mo_position = 1,
                  .inserted = 3};
  TraceEvent fails{.name = {0, 1},
                   .kind = EventKind::kRead,
                   .failed_spuriously = true,
                   .location = 1,
                   .value = -4,
                   .rf = {1, 2},
                   .inserted = 4};
  TraceEvent fence{.name = {0, 2}, .kind = EventKind::kFence, .order = MemoryOrder::kSeqCst, .rf = {}, .inserted = 5};
  trace.events = {write, read, half, rest, fails, fence};
  return trace;
}

inline std::string random_bytes(base::Rng& rng, int longest) {
  std::string text;
  for (int length = rng.below(longest + 1); length > 0; --length)
    text += rng.chance(50) ? static_cast<char>(rng.below(256)) : "\"\\\n\r\0 xn.="[rng.below(10)];
  return text;
}

/// Any trace that keeps the promises of format.h.
inline Trace random_trace(base::Rng& rng) {
  Trace trace;
  trace.program = random_bytes(rng, 12);
  trace.model = random_bytes(rng, 6);
  trace.ending = rng.chance(50) ? engine::Ending::kComplete : engine::Ending::kBlocked;
  for (int t = rng.below(4); t >= 0; --t) trace.threads.push_back(random_bytes(rng, 5));
  for (int l = rng.below(4); l >= 0; --l)
    trace.locations.push_back({random_bytes(rng, 5), static_cast<model::Value>(rng.next())});
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

}  // namespace ordeal::trace::testing
