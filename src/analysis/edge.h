// An arrow between two events of a trace.
#pragma once

#include <cstdint>

namespace ordeal::analysis {

/// An index of trace.events. An initial write has -1 - its location.
using EventIndex = std::int32_t;
constexpr EventIndex kNoEvent = INT32_MIN;
constexpr EventIndex initial_write_of(std::int32_t location) { return -1 - location; }

struct Edge {
  EventIndex from = kNoEvent;
  EventIndex to = kNoEvent;
  bool operator==(const Edge&) const = default;
  auto operator<=>(const Edge&) const = default;
};

/// Of an order that the model leaves open, one that it allows was chosen.
enum class Necessity : std::uint8_t { kForced, kChosen };

struct OrderEdge {
  Edge edge;
  Necessity necessity = Necessity::kForced;
  bool operator==(const OrderEdge&) const = default;
};

}  // namespace ordeal::analysis
