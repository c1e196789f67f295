#include "report/why_waiting.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/telling.h"

namespace ordeal::report {

using model::EventKind;
using trace::BugKind;
using trace::LocationSort;
using trace::TraceEvent;

namespace {

class WhyWaiting : private Telling {
 public:
  explicit WhyWaiting(const BugView& bug) : Telling(bug) {}

  std::vector<std::string> sentences() {
    for (const trace::Party& party : bug_.bug().parties) tell(party);
    tell_cycle();
    return std::move(sentences_);
  }

 private:
  void tell(const trace::Party& party) {
    note_joined(party);
    const std::int32_t location = party.address == 0 ? -1 : bug_.location_of(party.address);
    if (location < 0) return;
    const bool is_condition = trace_.locations[static_cast<std::size_t>(location)].sort == LocationSort::kCondition;
    if (party.what.find("in a loop") != std::string::npos) tell_loop(party.thread, location);
    else if (trace_.locations[static_cast<std::size_t>(location)].sort == LocationSort::kSemaphore) tell_semaphore(location);
    else if (party.what.starts_with("waits for a change")) tell_unchanged(party.thread, location);
    else if (party.what.starts_with("waits for a notification")) is_condition ? tell_notifications(party.thread, location) : tell_unnotified(party.thread, location);
    else tell_holder(party.thread, location);
  }

  // --- loops -------------------------------------------------------------------------------------------------------------

  /// The last event of this kind of a thread at a location; -1: none.
  std::ptrdiff_t last_event(EventKind kind, std::int32_t thread, std::int32_t location) const {
    std::ptrdiff_t last = -1;
    for (std::size_t e = 0; e < trace_.events.size(); ++e)
      if (event(e).kind == kind && event(e).location == location && event(e).name.thread == thread) last = static_cast<std::ptrdiff_t>(e);
    return last;
  }
  std::string source_text(std::size_t read) const {
    const std::ptrdiff_t source = bug_.rows().index_of(event(read).rf);
    return source < 0 ? "the initial value" : fmt::format("the store of {}{}", thread(static_cast<std::size_t>(source)), where(static_cast<std::size_t>(source)));
  }
  void tell_loop(std::int32_t thread, std::int32_t location) {
    const std::ptrdiff_t found = last_event(EventKind::kRead, thread, location);
    if (found < 0) return;
    const auto read = static_cast<std::size_t>(found);
    std::string text = fmt::format("{} reads {} = {} again and again, from {}; no thread is left that will store another value.", bug_.thread(thread),
                                   this->location(read), value(read), source_text(read));
    if (is_only_read(read)) text += fmt::format(" It goes on only if another value than {} is stored there.", value(read));
    sentences_.push_back(std::move(text));
  }
  /// Of an atomic that a thread waits for until it has another value: std::counting_semaphore, latch, barrier, atomic::wait.
  void tell_unchanged(std::int32_t thread, std::int32_t location) {
    const std::ptrdiff_t found = last_event(EventKind::kRead, thread, location);
    if (bug_.bug().kind != BugKind::kDeadlock) return;
    if (found < 0) return sentences_.push_back(fmt::format("{} goes on only if '{}' changes, and no thread is left that will change it.", bug_.thread(thread), bug_.texts().locations[static_cast<std::size_t>(location)]));
    const auto read = static_cast<std::size_t>(found);
    sentences_.push_back(fmt::format("{} waits because it reads {} = {}{}, from {}; no thread is left that will store another value.", bug_.thread(thread), this->location(read), value(read),
                                     where(read), source_text(read)));
  }
  /// Whether the loop reads nothing else: it is the last event of its thread, and what the thread read before was the same.
  bool is_only_read(std::size_t read) const {
    const trace::EventName& name = event(read).name;
    if (event(read).is_rmw || bug_.rows().index_of({name.thread, name.index + 1}) >= 0) return false;
    const std::ptrdiff_t before = bug_.rows().index_of({name.thread, name.index - 1});
    if (before < 0) return true;
    const TraceEvent& earlier = event(static_cast<std::size_t>(before));
    return earlier.kind == EventKind::kRead ? earlier.location == event(read).location && earlier.rf == event(read).rf : earlier.kind == EventKind::kCreate;
  }

  // --- locks -------------------------------------------------------------------------------------------------------------

  bool takes_part(std::int32_t thread) const {
    return std::any_of(bug_.bug().parties.begin(), bug_.bug().parties.end(), [&](const trace::Party& party) { return party.thread == thread; });
  }
  void note_joined(const trace::Party& party) {
    for (std::size_t t = 0; t < trace_.threads.size(); ++t)
      if (party.what == "waits for the end of " + trace_.threads[t]) waits_for_[party.thread] = static_cast<std::int32_t>(t);
  }
  /// The event that locked a mutex last, if that was not undone; -1: none.
  std::ptrdiff_t holding(std::int32_t location) const {
    std::ptrdiff_t last = -1;
    for (std::size_t e = 0; e < trace_.events.size(); ++e)
      if (event(e).kind == EventKind::kWrite && event(e).location == location) last = static_cast<std::ptrdiff_t>(e);
    if (last < 0) return -1;
    const auto index = static_cast<std::size_t>(last);
    const bool is_lock = sort(index) == LocationSort::kMutex || (sort(index) == LocationSort::kSharedMutex && event(index).value <= 2);
    const std::ptrdiff_t read = bug_.rows().index_of({event(index).name.thread, event(index).name.index - 1});
    const bool locks = read >= 0 && event(static_cast<std::size_t>(read)).value < event(index).value && (sort(index) != LocationSort::kMutex || event(index).value % 2 != 0);
    return is_lock && locks && event(index).is_rmw ? last : -1;
  }
  /// The first lock for reading of each thread that has not undone it.
  std::vector<std::size_t> readers(std::int32_t location) const {
    std::map<std::int32_t, std::vector<std::size_t>> held;
    for (std::size_t e = 0; e < trace_.events.size(); ++e) {
      if (event(e).kind != EventKind::kWrite || event(e).location != location || !event(e).is_rmw) continue;
      const std::ptrdiff_t read = bug_.rows().index_of({event(e).name.thread, event(e).name.index - 1});
      if (read < 0) continue;
      const model::Value before = event(static_cast<std::size_t>(read)).value;
      std::vector<std::size_t>& own = held[event(e).name.thread];
      if (event(e).value == before + 2) own.push_back(e);
      else if (event(e).value == before - 2 && !own.empty()) own.pop_back();
    }
    std::vector<std::size_t> first;
    for (const auto& [thread, locks] : held)
      if (!locks.empty()) first.push_back(locks[0]);
    return first;
  }
  void tell_holder(std::int32_t waiting, std::int32_t location) {
    if (bug_.bug().kind != BugKind::kDeadlock) return;
    if (trace_.locations[static_cast<std::size_t>(location)].sort == LocationSort::kSharedMutex)
      if (const std::vector<std::size_t> locks = readers(location); !locks.empty()) return tell_readers(waiting, locks);
    if (const std::ptrdiff_t found = holding(location); found >= 0) tell_lock(waiting, static_cast<std::size_t>(found), "");
  }
  /// Of several readers the others are told: a thread waits for all of them, but for itself only if there is no other.
  void tell_readers(std::int32_t waiting, const std::vector<std::size_t>& locks) {
    for (const std::size_t lock : locks)
      if (event(lock).name.thread != waiting || locks.size() == 1) tell_lock(waiting, lock, " for reading");
  }
  /// Who has locked what is told once, however many wait for it.
  void tell_lock(std::int32_t waiting, std::size_t lock, const char* how) {
    const std::int32_t holder = event(lock).name.thread;
    if (waits_for_.count(waiting) == 0 || takes_part(holder)) waits_for_[waiting] = holder;
    if (!told_.insert(lock).second) return;
    if (holder == waiting) {
      sentences_.push_back(fmt::format("{} has locked {}{} itself{}, and so waits for itself.", thread(lock), location(lock), how, where(lock)));
      return;
    }
    const bool has_ended = trace_.ending == engine::Ending::kBlocked && !takes_part(holder);
    sentences_.push_back(fmt::format("{} holds {}{} since it locked it{}{}.", thread(lock), location(lock), how, where(lock),
                                     has_ended ? ", and has ended without unlocking it" : ""));
  }
  /// Nothing is left in it, and nobody left who adds something.
  void tell_semaphore(std::int32_t location) {
    std::ptrdiff_t last = -1;
    for (std::size_t e = 0; e < trace_.events.size(); ++e)
      if (event(e).kind == EventKind::kWrite && event(e).location == location) last = static_cast<std::ptrdiff_t>(e);
    if (last < 0 || event(static_cast<std::size_t>(last)).value != 0) return;
    const auto index = static_cast<std::size_t>(last);
    sentences_.push_back(fmt::format("{} is 0 since {} {} it{}, and no thread is left that will post it.", this->location(index), thread(index),
                                     event(index).is_rmw ? "took" : "made", where(index)));
  }
  /// "thread 1 waits for thread 2, and that for thread 1."
  void tell_cycle() {
    for (const auto& [start, next] : waits_for_) {
      if (start == next) continue;
      std::vector<std::int32_t> cycle{start};
      for (auto at = waits_for_.find(next); at != waits_for_.end() && at->first != start && cycle.size() <= waits_for_.size(); at = waits_for_.find(at->second))
        cycle.push_back(at->first);
      if (waits_for_.count(cycle.back()) == 0 || waits_for_.at(cycle.back()) != start) continue;
      std::string text = fmt::format("So {} waits for {}", bug_.thread(cycle[0]), bug_.thread(cycle[1]));
      for (std::size_t i = 1; i < cycle.size(); ++i) text += fmt::format(", and {} for {}", bug_.thread(cycle[i]), bug_.thread(cycle[(i + 1) % cycle.size()]));
      sentences_.push_back(text + ".");
      return;
    }
  }

  // --- notifications -----------------------------------------------------------------------------------------------------

  /// The write of a read-modify-write, given its read; -1: none.
  std::ptrdiff_t write_of(std::size_t read) const {
    return event(read).is_rmw ? bug_.rows().index_of({event(read).name.thread, event(read).name.index + 1}) : -1;
  }
  /// Of a condition variable: a bit for each thread that waits (trace::LocationSort).
  void tell_notifications(std::int32_t waiting, std::int32_t location) {
    constexpr std::size_t kMost = 2;
    constexpr std::int32_t kBits = 63;
    if (waiting >= kBits) return;
    const std::uint64_t bit = std::uint64_t{1} << waiting;
    std::ptrdiff_t began = -1;
    std::vector<std::size_t> notifications;
    for (std::size_t e = 0; e < trace_.events.size(); ++e) {
      if (event(e).kind != EventKind::kRead || event(e).location != location) continue;
      const std::ptrdiff_t write = write_of(e);
      const auto before = static_cast<std::uint64_t>(event(e).value), after = write < 0 ? before : static_cast<std::uint64_t>(event(static_cast<std::size_t>(write)).value);
      const bool is_own = event(e).name.thread == waiting;
      if (is_own && (after & bit) != 0 && (before & bit) == 0) began = static_cast<std::ptrdiff_t>(e);
      const bool is_notification = before == 0 ? after == 0 : (after & ~before) == 0 && (before & ~after) != std::uint64_t{1} << event(e).name.thread % kBits;
      if (is_notification) notifications.push_back(e);
    }
    if (began < 0) return;
    const auto wait = static_cast<std::size_t>(began);
    if (notifications.empty()) sentences_.push_back(fmt::format("Nobody notifies {} in this execution.", this->location(wait)));
    const std::size_t first = notifications.size() > kMost ? notifications.size() - kMost : 0;
    for (std::size_t i = first; i < notifications.size(); ++i) tell_notification(notifications[i], wait, waiting);
  }
  void tell_notification(std::size_t notification, std::size_t wait, std::int32_t waiting) {
    const std::ptrdiff_t write = write_of(notification);
    const auto before = static_cast<std::uint64_t>(event(notification).value);
    const std::string notified = fmt::format("{} notified {}{}", thread(notification), location(notification), where(notification));
    if ((before & std::uint64_t{1} << waiting) != 0) {  // it waited, and another was chosen
      const std::int32_t chosen = event(notification).woken;
      if (write >= 0 && chosen >= 0 && chosen != waiting) sentences_.push_back(fmt::format("{}, which woke {} and not {}.", notified, bug_.thread(chosen), bug_.thread(waiting)));
      return;
    }
    if (before == 0)
      sentences_.push_back(fmt::format("{}, when nobody waited: {} began to wait afterwards{}.", notified, bug_.thread(waiting), where(wait)));
    else
      sentences_.push_back(fmt::format("{}, before {} began to wait{}.", notified, bug_.thread(waiting), where(wait)));
  }

  /// Of an atomic: the thread saw a value, blocked, and nobody tells it of the other (agent/lost_notification.h).
  void tell_unnotified(std::int32_t waiting, std::int32_t location) {
    const std::ptrdiff_t found = last_event(EventKind::kRead, waiting, location);
    if (found < 0) return;
    const auto read = static_cast<std::size_t>(found);
    const std::ptrdiff_t source = bug_.rows().index_of(event(read).rf);
    std::ptrdiff_t store = -1;
    for (std::size_t e = 0; e < trace_.events.size(); ++e) {
      if (event(e).kind != EventKind::kWrite || event(e).location != location || static_cast<std::ptrdiff_t>(e) == source) continue;
      if (event(e).name.thread == waiting || event(e).value == event(read).value) continue;
      if (source >= 0 && answers_.is_before(static_cast<analysis::EventIndex>(e), static_cast<analysis::EventIndex>(source))) continue;
      store = static_cast<std::ptrdiff_t>(e);
    }
    if (store < 0) return;
    const auto changed = static_cast<std::size_t>(store);
    sentences_.push_back(fmt::format("{} blocks because it reads {} = {}{}. {} stores {}{}, and no notification behind that is sure to wake {}.", bug_.thread(waiting),
                                     this->location(read), value(read), where(read), thread(changed), value(changed), where(changed), bug_.thread(waiting)));
  }

  std::map<std::int32_t, std::int32_t> waits_for_;
  std::set<std::size_t> told_;  // locks
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> why_waiting(const BugView& bug) { return WhyWaiting(bug).sentences(); }

}  // namespace ordeal::report
