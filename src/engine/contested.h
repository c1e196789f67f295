// Locations for which threads contend: two of them access it, one writes, and neither access happens before the other.
//
// Only there does a later write revisit an earlier read, and what was added between the two is then thrown away and made anew. So it pays to add everything
// else first: threads at contested locations wait until the others have come to one, too. Which locations these are is learnt from the first executions; then
// the search begins anew, because which operation is added next must be a function of the graph alone.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/observer.h"

namespace ordeal::engine {

class Contested final : public Observer {
 public:
  /// Learns, until it has seen enough.
  bool finished(const Execution& execution) override;
  /// Whether it has just seen enough, and the search is worth to begin anew. Once.
  bool is_worth_a_new_round();
  void add(model::LocationId location);
  /// From now on threads at these locations wait, and nothing more is learnt.
  void use() { is_used_ = true; }

  /// Whether threads wait there.
  bool has(model::LocationId location) const {
    const auto at = static_cast<std::size_t>(number(location));  // kNoLocation is beyond all
    return is_used_ && at < contested_.size() && contested_[at] != 0;
  }

 private:
  struct Seen {
    model::Slot access = model::kNone, write = model::kNone;  // the thread's last ones
  };
  void look_at(const model::ExecutionGraph& graph, model::Slot slot);

  std::vector<char> contested_;  // location →
  std::vector<Seen> seen_;       // (location, thread) →, in the execution that is looked at
  int executions_ = 0;
  std::uint64_t events_ = 0, at_contested_ = 0;  // in the last execution
  bool is_asked_ = false, is_used_ = false;
};

}  // namespace ordeal::engine
