#include "report/proposal.h"

#include <array>
#include <optional>
#include <string_view>

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
    const std::optional<analysis::Repair> repair = answers_.repair(bug_.sites(), race, blamed(race));
    if (!repair) return "";
    std::string text;
    for (std::size_t i = 0; i < repair->changes.size(); ++i) {
      const bool is_same = i > 0 && repair->changes[i].order == repair->changes[i - 1].order;
      text += (i == 0 ? "With " : " and ") + change_text(repair->changes[i], is_same);
    }
    return text + (repair->forbids ? " this execution is impossible." : " the two accesses are ordered.");
  }

 private:
  /// What the sentences above it say is too weak: the ends of hops that do not synchronise.
  std::vector<analysis::EventIndex> blamed(const std::optional<analysis::RacingSpots>& race) const {
    std::vector<analysis::EventIndex> events;
    const auto add = [&](const analysis::Spot& from, const analysis::Spot& to) {
      for (const analysis::Hop& hop : answers_.chain(from, to).broken) events.insert(events.end(), {hop.write, hop.read});
    };
    if (race) add(race->first, race->second), add(race->second, race->first);
    for (std::size_t read = 0; read < trace_.events.size(); ++read) {
      const std::ptrdiff_t skipped = event(read).kind == EventKind::kRead ? bug_.rows().skipped(read) : -1;
      if (skipped >= 0) add(at(static_cast<std::size_t>(skipped)), just_before(at(read)));
    }
    return events;
  }
  /// `is_same`: the order was just named.
  std::string change_text(const analysis::Change& change, bool is_same) const {
    constexpr std::array<const char*, 6> kNames{"", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    const std::string first = operation(change.events.front());
    if (change.next != analysis::kNoEvent)
      return fmt::format("{} between {} and {}", is_same ? "one" : "a fence, atomic_thread_fence(memory_order_seq_cst),", first, operation(change.next));
    return is_same ? "for " + first : fmt::format("memory_order_{} for {}", kNames[static_cast<std::size_t>(change.order)], first);
  }
  static const char* sort_of(const trace::TraceEvent& event) {
    if (event.kind == EventKind::kRead && !event.is_rmw && event.expected) return "failed compare-exchange";  // its failure order
    return event.kind == EventKind::kFence ? "fence" : event.is_rmw ? "read-modify-write" : event.kind == EventKind::kRead ? "load" : "store";
  }
  /// With its variable if the line has another such operation on another one; with its row if on the same.
  std::string operation(analysis::EventIndex which) const {
    const std::size_t it = index(which);
    const bool is_of_another = has_namesake(it, false), is_of_the_same = has_namesake(it, true);
    return fmt::format("the {}{} at {}{}", sort_of(event(it)), is_of_another ? " of " + location(it) : "", bug_.place(it), is_of_the_same ? " [" + bug_.rows().letter(it) + "]" : "");
  }
  bool has_namesake(std::size_t it, bool with_same_variable) const {
    if (event(it).location < 0) return false;
    for (std::size_t other = 0; other < trace_.events.size(); ++other)
      if (bug_.sites()[other] >= 0 && bug_.sites()[other] != bug_.sites()[it] && event(other).location >= 0 && (event(other).location == event(it).location) == with_same_variable &&
          std::string_view(sort_of(event(other))) == sort_of(event(it)) && bug_.place(other) == bug_.place(it))
        return true;
    return false;
  }
};

}  // namespace

std::string proposal(const BugView& bug) { return Proposal(bug).sentence(); }

}  // namespace ordeal::report
