// Where something is in its thread: an event, or an access that is none (a plain one) and stands between two.
#pragma once

#include "analysis/graph_of_trace.h"

namespace ordeal::analysis {

struct Spot {
  std::int32_t thread = -1;
  std::int32_t before = -1;  // how many events of the thread come before it; -1: unknown
  bool is_event = false;     // it is the event with that index
};

/// The same place without what the event learns from what it reads: an order that only the access itself makes comes too late for whoever
/// wants to know that the memory is there.
constexpr Spot just_before(const Spot& spot) { return {spot.thread, spot.before, false}; }
/// Whether the spot is in the graph. All below REQUIRE that.
bool is_in(const model::ExecutionGraph& graph, const Spot& spot);
/// The event behind which nothing more is known at the spot: itself, else the one before it, or the creation of its thread; kNone: none.
model::Slot known_at(const model::ExecutionGraph& graph, const Spot& spot);
/// The first event that comes with or behind it; kNone: none.
model::Slot told_from(const model::ExecutionGraph& graph, const Spot& spot);
bool happens_before(const model::ExecutionGraph& graph, const Spot& first, const Spot& second);

}  // namespace ordeal::analysis
