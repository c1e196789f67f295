#include "report/why_race.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include <fmt/format.h>

#include "report/telling.h"

namespace ordeal::report {

using analysis::Spot;
using model::EventKind;
using model::MemoryOrder;
using trace::TraceEvent;

namespace {

class WhyRace : private Telling {
 public:
  explicit WhyRace(const BugView& bug) : Telling(bug) {}

  std::vector<std::string> sentences() {
    if (bug_.parties().size() < 2) return {};
    const Spot first = spot(0), second = spot(1);
    const bool has_chain = tell_chain(first, just_before(second)) || tell_chain(second, just_before(first)) || tell_chain(first, second) || tell_chain(second, first);
    if (!has_chain) {
      sentences_.push_back(kNothingOrders);
      if (trace_.events.empty()) return std::move(sentences_);  // then nothing is known of what they did before
      if (!tell_cut_sequence(first, second)) tell_cut_sequence(second, first);
      tell_last_synchronisation(first);
      tell_last_synchronisation(second);
      tell_locks(first, second);
    }
    return std::move(sentences_);
  }

 private:
  // --- the chain that breaks -------------------------------------------------------------------------------------------

  bool tell_chain(const Spot& from, const Spot& to) {
    constexpr std::size_t kMost = 3;
    const analysis::Chain chain = answers_.chain(from, to);
    std::vector<std::string> told;
    for (const analysis::Hop& hop : chain.broken)
      if (std::string text = hop_text(hop, from, to); !text.empty() && told.size() < kMost) told.push_back(std::move(text));
    sentences_.insert(sentences_.end(), told.begin(), told.end());
    return !told.empty();
  }
  std::string hop_text(const analysis::Hop& hop, const Spot& from, const Spot& to) const {
    const std::size_t read = index(hop.read), write = index(hop.write);
    const std::string weak = weakness(hop);
    if (weak.empty())
      return sort(read) != trace::LocationSort::kSharedMutex
                 ? ""
                 : fmt::format("{} locks {}{} after {}, but both lock it for reading, and that does not order them.", thread(read), location(read),
                               where(read), thread(write));
    const bool is_direct = event(write).name.thread == from.thread && event(read).name.thread == to.thread;
    const std::string way = is_direct ? "" : fmt::format(" (on the way from {} to {})", bug_.thread(from.thread), bug_.thread(to.thread));
    return fmt::format("{}{}, but that does not order the two accesses: {}.", reads_from(read), way, weak);
  }

  bool tell_cut_sequence(const Spot& from, const Spot& to) {
    const analysis::CutSequence cut = answers_.cut_sequence(from, to);
    if (cut.read == analysis::kNoEvent) return false;
    sentences_.push_back(fmt::format("{}. That store comes after the release store of {}{}, but does not continue its release sequence: it is no read-modify-write.",
                                     reads_from(index(cut.read)), thread(index(cut.release)), where(index(cut.release))));
    return true;
  }

  // --- else the last synchronisation of each side ----------------------------------------------------------------------

  void tell_last_synchronisation(const Spot& access) {
    std::ptrdiff_t last = -1, created = -1;
    const std::int32_t end = begin_of(access);
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      if (event(i).kind == EventKind::kCreate && event(i).other == access.thread)
        created = static_cast<std::ptrdiff_t>(i);
      if (event(i).name.thread == access.thread && event(i).name.index < end && synchronises(event(i), end))
        last = static_cast<std::ptrdiff_t>(i);
    }
    const std::string& name = bug_.thread(access.thread);
    if (last >= 0)
      sentences_.push_back(
          fmt::format("Before its access {} last synchronised{}.", name, with(static_cast<std::size_t>(last))));
    else if (created >= 0)
      sentences_.push_back(fmt::format("{} has not synchronised since {} created it{}.", name,
                                       thread(static_cast<std::size_t>(created)),
                                       where(static_cast<std::size_t>(created))));
    else
      sentences_.push_back(fmt::format("{} has not synchronised with another thread before.", name));
  }
  /// The first event of its thread that is not before it; of a read-modify-write the read.
  std::int32_t begin_of(const Spot& access) const {
    if (access.before < 0) return INT32_MAX;
    const std::ptrdiff_t found = access.is_event ? bug_.rows().index_of({access.thread, access.before}) : -1;
    const bool is_half = found >= 0 && event(static_cast<std::size_t>(found)).kind == EventKind::kWrite && event(static_cast<std::size_t>(found)).is_rmw;
    return access.before - (is_half ? 1 : 0);
  }

  // --- locks that one of the two holds -----------------------------------------------------------------------------------

  /// The mutexes that a thread holds there, also those that it shares: the events that locked them first, by location.
  std::map<std::int32_t, std::size_t> held(const Spot& access) const {
    std::map<std::int32_t, std::size_t> locks;
    std::map<std::int32_t, int> depth;
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      const trace::EventName& name = event(i).name;
      if (name.thread != access.thread || name.index >= begin_of(access) || event(i).kind != EventKind::kWrite || event(i).location < 0) continue;
      const std::ptrdiff_t read = event(i).is_rmw ? bug_.rows().index_of({name.thread, name.index - 1}) : -1;
      if (read < 0 || (sort(i) != trace::LocationSort::kMutex && sort(i) != trace::LocationSort::kSharedMutex)) continue;
      const bool is_locked = event(i).value > event(static_cast<std::size_t>(read)).value;
      int& times = depth[event(i).location];
      times += is_locked ? 1 : -1;
      if (is_locked && times == 1) locks[event(i).location] = i;
      if (times <= 0) locks.erase(event(i).location);
    }
    return locks;
  }
  /// A mutex orders accesses only if both threads lock it.
  void tell_locks(const Spot& first, const Spot& second) {
    const std::map<std::int32_t, std::size_t> mine = held(first), theirs = held(second);
    if (!mine.empty() && !theirs.empty()) {
      const std::size_t one = mine.begin()->second, other = theirs.begin()->second;
      if (std::none_of(mine.begin(), mine.end(), [&](const auto& lock) { return theirs.count(lock.first) != 0; }))
        sentences_.push_back(fmt::format("{} holds {}, locked{}, and {} holds {}, locked{}: these are two mutexes.", thread(one), location(one), where(one), thread(other), location(other), where(other)));
    }
    if (mine.empty() == theirs.empty()) return;
    const bool is_first = !mine.empty();
    const std::size_t lock = (is_first ? mine : theirs).begin()->second;
    sentences_.push_back(fmt::format("{} holds {}, locked{}, and {} holds no mutex.", thread(lock), location(lock), where(lock), bug_.thread((is_first ? second : first).thread)));
  }

  /// Whether a fence of this kind is among the events from..to of a thread.
  bool has_fence(std::int32_t thread, std::int32_t from, std::int32_t to, bool (*is_right)(MemoryOrder)) const {
    return std::any_of(trace_.events.begin(), trace_.events.end(), [&](const TraceEvent& fence) {
      return fence.kind == EventKind::kFence && fence.name.thread == thread && fence.name.index >= from &&
             fence.name.index < to && is_right(fence.order);
    });
  }
  /// A join, or a read that acquires, itself or by a fence before `end`, what another thread released.
  bool synchronises(const TraceEvent& event, std::int32_t end) const {
    if (event.kind == EventKind::kJoin) return true;
    if (event.kind != EventKind::kRead || event.rf.thread == event.name.thread) return false;
    const bool acquires =
        model::acquires(event.order) || has_fence(event.name.thread, event.name.index, end, model::acquires);
    return acquires && is_released(event.rf);
  }
  /// The write releases, itself or by a fence, or continues the release sequence of one that does.
  bool is_released(trace::EventName name) const {
    for (std::size_t steps = 0; steps <= trace_.events.size(); ++steps) {
      const std::ptrdiff_t index = bug_.rows().index_of(name);
      if (index < 0) return false;
      const TraceEvent& write = event(static_cast<std::size_t>(index));
      if (model::releases(write.order) || has_fence(name.thread, 0, name.index, model::releases)) return true;
      const std::ptrdiff_t half = write.is_rmw ? bug_.rows().index_of({name.thread, name.index - 1}) : -1;
      if (half < 0 || event(static_cast<std::size_t>(half)).kind != EventKind::kRead) return false;
      name = event(static_cast<std::size_t>(half)).rf;
    }
    return false;
  }
  std::string with(std::size_t index) const {
    if (event(index).kind == EventKind::kJoin)
      return fmt::format(" when it joined {}{}", bug_.thread(event(index).other), where(index));
    return fmt::format(" with {} when it {}{}", bug_.thread(event(index).rf.thread), sort(index) == trace::LocationSort::kFiles ? "was told by a file or a signal" : fmt::format("read {}", location(index)),
                       where(index));
  }

  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> why_race(const BugView& bug) { return WhyRace(bug).sentences(); }

}  // namespace ordeal::report
