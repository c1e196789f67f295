#include "model/coherence.h"

namespace ordeal::model {

void Floors::compute(const ExecutionGraph& graph, ThreadId thread, LocationId location, Slot previous, Slot previous_here) {
  floors_.clear();
  const auto add = [&](Slot access) {
    const Slot floor = position_of(graph, access);
    if (number(floor) < 0) return;
    for (const Slot known : floors_)
      if (known == floor) return;
    floors_.push_back(floor);
  };
  if (previous_here != kNone) add(previous_here);
  const Slot before = previous != kNone ? previous : graph.creation_of(thread);
  if (before == kNone) return;
  const ClockEntry* hb = graph.row(before, Row::kHb);
  for (int t = 0; t < graph.threads(); ++t) {
    if (hb[t] == 0 || t == number(thread)) continue;
    const Slot access = graph.last_here_below(location, ThreadId{t}, hb[t]);
    if (access != kNone) add(access);
  }
}

}  // namespace ordeal::model
