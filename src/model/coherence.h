// Coherence, [intro.races]p13–p17: `hb ; eco?` is irreflexive.
//
// Each access of a location has a *position* in modification order: a write itself, a read the write it reads. If e
// happens before f, both at the location, then position(e) is before or at position(f): this one rule is the standard's
// four (write-write, write-read, read-write, read-read coherence). A new event happens before nothing, so only the
// positions behind which it must come matter. Of each thread the last access that happens before it is enough; the
// earlier ones were constrained by that one. These are the *floors* of the new event.
//
// For a read that acquires, what it learns from its source adds no floor: whatever happens before the source's release
// sequence is constrained to be before the source already.
#pragma once

#include <algorithm>

#include "model/modification_order.h"

namespace ordeal::model {

/// The position of an access in modification order.
inline Slot position_of(const ExecutionGraph& graph, Slot access) {
  const Event& event = graph.event(access);
  return event.kind == EventKind::kWrite ? access : event.rf;
}

/// The writes that the next access of `thread` to `location` may not precede in modification order; the initial write
/// is left out. At most one a thread.
class Floors {
 public:
  /// For an event of `thread` that comes next and has not been pushed.
  void compute(const ExecutionGraph& graph, ThreadId thread, LocationId location) {
    compute(graph, thread, location, graph.last_of(thread), graph.last_here(location, thread));
  }
  /// For an access that is in the graph.
  void compute(const ExecutionGraph& graph, Slot access) {
    const Event& event = graph.event(access);
    compute(graph, event.thread, event.location, event.previous, event.previous_here);
  }
  const Slot* data() const { return floors_.data(); }
  int size() const { return static_cast<int>(floors_.size()); }
  bool contain(Slot write) const { return std::find(floors_.begin(), floors_.end(), write) != floors_.end(); }

  /// Whether an access at position `write` keeps coherence.
  bool allow(const ExecutionGraph& graph, Slot write) const {
    for (const Slot floor : floors_)
      if (floor != write && forced_before(graph, write, floor)) return false;
    return true;
  }
  /// Makes it so: every floor before-or-at `write`. REQUIRES: allow(write).
  void force(ExecutionGraph& graph, Slot write) const {
    for (const Slot floor : floors_) force_before(graph, floor, write);
  }

 private:
  void compute(const ExecutionGraph& graph, ThreadId thread, LocationId location, Slot previous, Slot previous_here);

  std::vector<Slot> floors_;
};

}  // namespace ordeal::model
