// Which stronger order, or which fence, would have prevented this execution.
//
// A *site* is a place in the source: an operation that is written once, whatever number of events comes of it. Changes are tried from
// small to large, and each is checked by the model: the orders of all events of the site are raised, or fences are put in, and the graph
// is built again with the same reads-from. A change helps if the execution is inconsistent then; or, of a race, if one of the two accesses
// happens before the other.
//
//   1  one site:  a relaxed store releases, a relaxed load acquires, a read-modify-write does both
//   2  one site:  seq_cst
//   3  two sites, as in 1        4  two sites, as in 2
//   5  one seq_cst fence between two operations that follow each other in a thread        6  two of these
//
// The first that helps is the answer, with acquire or release for acq_rel where one of them is enough; there may be others. What needs more changes is not found, and what would take too long is not
// looked at (kMostPushes): then there is no answer. A compare-exchange that failed keeps its order when that of its success is raised.
// Nothing is said of other executions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/edge.h"
#include "analysis/spot.h"

namespace ordeal::analysis {

struct Change {
  std::vector<EventIndex> events;  // the first names the site: those that get the order; of a fence: those that it stands behind
  model::MemoryOrder order = model::MemoryOrder::kSeqCst;
  EventIndex next = kNoEvent;      // of a fence: the operation that it stands before; else kNoEvent
};

struct Repair {
  std::vector<Change> changes;
  bool forbids = true;  // the execution; else it orders the two accesses of the race
};

using RacingSpots = std::pair<Spot, Spot>;

/// `sites`: by event; negative: it cannot be changed. `race`: what is to be ordered, if it is not to be forbidden. `blamed`: events whose
/// sites are tried before others.
std::optional<Repair> find_repair(const trace::Trace& trace, std::span<const int> sites, const std::optional<RacingSpots>& race, std::span<const EventIndex> blamed = {});

}  // namespace ordeal::analysis
