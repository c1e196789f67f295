#include "analysis/answers.h"

#include "model/modification_order.h"

namespace ordeal::analysis {

bool Answers::is_before(EventIndex write, EventIndex other) const {
  if (!is_known() || write == other) return false;
  const model::Slot first{write}, second{other};
  const model::Event &a = graph().event(first), &b = graph().event(second);
  if (a.mo_position > 0 || b.mo_position > 0) return a.mo_position < b.mo_position;
  return forced_before(graph(), first, second);
}

}  // namespace ordeal::analysis
