#include "report/proposal.h"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "report/telling.h"

namespace ordeal::report {

using model::EventKind;

namespace {

class Proposal : private Telling {
 public:
  explicit Proposal(const BugView& bug) : Telling(bug) {}

  std::string sentence() const {
    const bool is_race = bug_.bug().kind == trace::BugKind::kDataRace && bug_.parties().size() >= 2;
    if (!is_race && !bug_.rows().is_weak()) return "";
    std::optional<analysis::RacingSpots> race;
    if (is_race) race = {spot(0), spot(1)};
    const std::optional<analysis::Repair> repair = answers_.repair(bug_.sites(), race);
    if (!repair) return "";
    std::string text;
    for (std::size_t i = 0; i < repair->changes.size(); ++i) {
      const bool is_same = i > 0 && repair->changes[i].order == repair->changes[i - 1].order;
      text += (i == 0 ? "With " : " and ") + change_text(repair->changes[i], is_same);
    }
    return text + (repair->forbids ? " this execution is impossible." : " the two accesses are ordered.");
  }

 private:
  /// `is_same`: the order was just named.
  std::string change_text(const analysis::Change& change, bool is_same) const {
    constexpr std::array<const char*, 6> kNames{"", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    const std::string at = operation(change.events.front());
    if (change.next != analysis::kNoEvent)
      return fmt::format("{} between {} and {}", is_same ? "one" : "a fence, atomic_thread_fence(memory_order_seq_cst),", at, operation(change.next));
    return is_same ? "for " + at : fmt::format("memory_order_{} for {}", kNames[static_cast<std::size_t>(change.order)], at);
  }
  std::string operation(analysis::EventIndex at) const {
    const trace::TraceEvent& it = event(index(at));
    const char* what = it.kind == EventKind::kFence ? "fence" : it.is_rmw ? "read-modify-write" : it.kind == EventKind::kRead ? "load" : "store";
    return fmt::format("the {} at {}", what, bug_.place(index(at)));
  }
};

}  // namespace

std::string proposal(const BugView& bug) { return Proposal(bug).sentence(); }

}  // namespace ordeal::report
