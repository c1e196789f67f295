#include "report/explanation.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "report/printable.h"

namespace ordeal::report {

using model::EventKind;
using model::MemoryOrder;
using trace::BugKind;
using trace::TraceEvent;

namespace {

class Explainer {
 public:
  Explainer(const BugView& bug, Calls calls) : bug_(bug), trace_(bug.trace()), calls_(calls) {}

  std::vector<std::string> sentences() {
    switch (bug_.bug().kind) {
      case BugKind::kDataRace: explain_race(); break;
      case BugKind::kDeadlock: explain_waiting(); break;
      case BugKind::kNoProgress: explain_waiting(); break;
      case BugKind::kUseAfterFree:
      case BugKind::kDoubleFree:
      case BugKind::kMismatchedFree:
      case BugKind::kOutOfBounds:
      case BugKind::kUninitialisedLoad: explain_block(); break;
      case BugKind::kExitCode:
      case BugKind::kLeak: break;
      default: explain_calls(); break;
    }
    explain_old_values();
    return std::move(sentences_);
  }

 private:
  const TraceEvent& event(std::size_t index) const { return trace_.events[index]; }
  /// " at queue.cpp:41 [c]": place and row.
  std::string where(std::size_t index) const {
    const std::string& place = bug_.place(index);
    return fmt::format("{} [{}]", place.empty() ? "" : " at " + place, bug_.rows().letter(index));
  }
  const std::string& thread(std::size_t index) const { return bug_.thread(event(index).name.thread); }
  std::string location(std::size_t index) const {
    return "'" + bug_.texts().locations[static_cast<std::size_t>(event(index).location)] + "'";
  }
  std::string value(std::size_t index) const {
    const std::string& text = bug_.texts().values[index];
    return text.empty() ? std::to_string(event(index).value) : text;
  }

  // --- races ---------------------------------------------------------------------------------------------------------

  /// Where an access is in its thread: events with a lower index than `before` come before it, those from `after` on behind.
  struct Spot {
    std::int32_t thread = -1, before = -1, after = -1;  // -1: unknown
  };
  Spot spot(std::size_t party) const {
    const trace::Party& side = bug_.bug().parties[party];
    const std::ptrdiff_t index = bug_.parties()[party].event;
    if (index < 0) return {side.thread, side.before, side.before};
    const std::int32_t place = event(static_cast<std::size_t>(index)).name.index;
    return {side.thread, place, place + 1};
  }

  void explain_race() {
    if (bug_.parties().size() < 2) return;
    const Spot first = spot(0), second = spot(1);
    if (explain_weak_synchronisation(first, second) || explain_weak_synchronisation(second, first)) return;
    sentences_.push_back("Nothing orders the two accesses: neither happens before the other.");
    if (trace_.events.empty()) return;  // then nothing is known of what they did before
    explain_last_synchronisation(first);
    explain_last_synchronisation(second);
    explain_block();
  }

  /// Whether a fence of this kind is among the events from..to of a thread.
  bool has_fence(std::int32_t thread, std::int32_t from, std::int32_t to, bool (*is_right)(MemoryOrder)) const {
    return std::any_of(trace_.events.begin(), trace_.events.end(), [&](const TraceEvent& fence) {
      return fence.kind == EventKind::kFence && fence.name.thread == thread && fence.name.index >= from &&
             fence.name.index < to && is_right(fence.order);
    });
  }

  /// `earlier` is followed by a store that the other thread read before `later`: that should have ordered them.
  bool explain_weak_synchronisation(const Spot& earlier, const Spot& later) {
    if (earlier.before < 0 || later.before < 0) return false;
    for (std::size_t i = trace_.events.size(); i-- > 0;) {
      const TraceEvent& read = event(i);
      if (read.kind != EventKind::kRead || read.name.thread != later.thread) continue;
      if (read.name.index >= later.before || read.rf.thread != earlier.thread) continue;
      const std::ptrdiff_t source = bug_.rows().index_of(read.rf);
      if (source < 0 || read.rf.index < earlier.before) continue;
      const TraceEvent& write = event(static_cast<std::size_t>(source));
      const bool releases =
          model::releases(write.order) || has_fence(earlier.thread, earlier.after, write.name.index, model::releases);
      const bool acquires =
          model::acquires(read.order) || has_fence(later.thread, read.name.index, later.before, model::acquires);
      if (releases && acquires) continue;
      std::string reason = releases ? "" : fmt::format("the store is {}", weak(write.order, "release"));
      if (!acquires) reason += fmt::format("{}the load is {}", reason.empty() ? "" : ", ", weak(read.order, "acquire"));
      sentences_.push_back(
          fmt::format("{} reads {} = {}{} from the store of {}{}, but that does not order the two accesses: {}.",
                      thread(i), location(i), value(i), where(i), bug_.thread(read.rf.thread),
                      where(static_cast<std::size_t>(source)), reason));
      return true;
    }
    return false;
  }
  static std::string weak(MemoryOrder order, const char* needed) {
    if (order == MemoryOrder::kPlain) return "not atomic";
    const char* name = order == MemoryOrder::kRelaxed   ? "relaxed"
                       : order == MemoryOrder::kAcquire ? "acquire"
                                                        : "release";
    return fmt::format("{}, not {}", name, needed);
  }

  void explain_last_synchronisation(const Spot& access) {
    std::ptrdiff_t last = -1, created = -1;
    const std::int32_t end = access.before < 0 ? INT32_MAX : access.before;
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
    return fmt::format(" with {} when it read {}{}", bug_.thread(event(index).rf.thread), location(index),
                       where(index));
  }

  // --- others --------------------------------------------------------------------------------------------------------

  /// Who holds what is waited for, and what a loop sees again and again.
  void explain_waiting() {
    for (std::size_t i = 0; i < bug_.parties().size(); ++i) {
      const trace::Party& party = bug_.bug().parties[i];
      const std::int32_t location = party.address == 0 ? -1 : bug_.location_of(party.address);
      if (location < 0) continue;
      if (party.what.find("in a loop") != std::string::npos)
        explain_loop(party.thread, location);
      else
        explain_holder(party.thread, location);
    }
  }
  void explain_loop(std::int32_t thread, std::int32_t location) {
    std::ptrdiff_t read = -1;
    for (std::size_t e = 0; e < trace_.events.size(); ++e)
      if (event(e).kind == EventKind::kRead && event(e).location == location && event(e).name.thread == thread)
        read = static_cast<std::ptrdiff_t>(e);
    if (read < 0) return;
    const auto index = static_cast<std::size_t>(read);
    const std::ptrdiff_t source = bug_.rows().index_of(event(index).rf);
    const std::string from = source < 0 ? "the initial value"
                                        : fmt::format("the store of {}{}", bug_.thread(event(index).rf.thread),
                                                      where(static_cast<std::size_t>(source)));
    sentences_.push_back(
        fmt::format("{} reads {} = {} again and again, from {}; no thread is left that will store another value.",
                    bug_.thread(thread), this->location(index), value(index), from));
  }
  void explain_holder(std::int32_t waiting, std::int32_t location) {
    std::ptrdiff_t last = -1;
    for (std::size_t e = 0; e < trace_.events.size(); ++e)
      if (event(e).kind == EventKind::kWrite && event(e).location == location) last = static_cast<std::ptrdiff_t>(e);
    if (last < 0) return;
    const auto index = static_cast<std::size_t>(last);
    const trace::LocationSort sort = trace_.locations[static_cast<std::size_t>(location)].sort;
    const bool is_lock = sort == trace::LocationSort::kMutex || (sort == trace::LocationSort::kSharedMutex && event(index).value <= 2);
    const std::ptrdiff_t read = bug_.rows().index_of({event(index).name.thread, event(index).name.index - 1});
    const bool locks = read >= 0 && event(static_cast<std::size_t>(read)).value < event(index).value;
    const bool is_held = is_lock && locks && event(index).is_rmw && event(index).name.thread != waiting;
    if (is_held && bug_.bug().kind == BugKind::kDeadlock)
      sentences_.push_back(
          fmt::format("{} holds {} since it locked it{}.", thread(index), this->location(index), where(index)));
  }

  void explain_block() {
    const trace::TraceObject* object = bug_.object();
    if (object == nullptr || calls_ == Calls::kShown) return;
    const auto at = [](const std::string& place) { return place.empty() ? "" : " at " + place; };
    const auto by = [&](std::int32_t thread) { return thread < 0 ? "" : " by " + bug_.thread(thread); };
    std::string text = fmt::format("The block of {} bytes was allocated{}{}", object->size, at(bug_.object_place()),
                                   by(object->thread));
    if (object->freed_by >= 0) text += fmt::format(" and freed{}{}", at(bug_.freed_place()), by(object->freed_by));
    sentences_.push_back(text + ".");
  }

  /// How the program got there.
  void explain_calls() {
    if (calls_ == Calls::kShown || bug_.parties().empty() || bug_.parties()[0].calls.size() < 2) return;
    constexpr std::size_t kMost = 5;
    const PartyView& party = bug_.parties()[0];
    std::string text = fmt::format("{} was in {}", party.thread, function(party.calls[0]));
    for (std::size_t i = 1; i < std::min(party.calls.size(), kMost); ++i)
      text += fmt::format(", called by {} at {}", function(party.calls[i]), bug_.short_place(party.calls[i]));
    sentences_.push_back(text + ".");
  }
  static std::string function(const SourcePlace& place) {
    return place.function.empty() ? "a function" : printable(place.function);
  }

  /// Whether it takes weak memory; if so, the last few reads that do not return the newest store above them.
  void explain_old_values() {
    constexpr std::size_t kMost = 3;
    const Rows& rows = bug_.rows();
    std::vector<std::string> found;
    for (std::size_t r = rows.events().size(); r-- > 0 && found.size() < kMost;) {
      const std::size_t index = rows.events()[r];
      const std::ptrdiff_t skipped = event(index).kind == EventKind::kRead ? rows.skipped(index) : -1;
      if (skipped < 0) continue;
      const auto newer = static_cast<std::size_t>(skipped);
      found.push_back(fmt::format("{} reads {} = {}{}, although {} had stored {}{}.", thread(index), location(index),
                                  value(index), where(index), thread(newer), value(newer), where(newer)));
    }
    if (rows.is_weak()) {
      sentences_.push_back(fmt::format("No interleaving of the threads does this: it takes weak memory, where a load may return {}.",
                                       reads_ahead() ? "a value that is stored later (load buffering)" : "an older value"));
      sentences_.insert(sentences_.end(), found.rbegin(), found.rend());
    } else if (rows.is_interleaving() && !tells_enough() && has_reads_of_others()) {
      sentences_.push_back("It takes no weak memory: the threads take turns, in the order of the rows.");
    }
  }
  /// Whether some read stands before the store that it reads.
  bool reads_ahead() const {
    for (auto read = trace_.events.begin(); read != trace_.events.end(); ++read)
      if (read->kind == EventKind::kRead && read->rf.thread >= 0 &&
          std::any_of(read, trace_.events.end(), [&](const TraceEvent& other) { return other.name == read->rf; }))
        return true;
    return false;
  }
  bool tells_enough() const {
    const BugKind kind = bug_.bug().kind;
    return kind == BugKind::kDeadlock || kind == BugKind::kNoProgress || kind == BugKind::kDataRace;
  }
  bool has_reads_of_others() const {
    return std::any_of(trace_.events.begin(), trace_.events.end(), [](const TraceEvent& event) {
      return event.kind == EventKind::kRead && event.rf.thread != event.name.thread;
    });
  }

  const BugView& bug_;
  const trace::Trace& trace_;
  Calls calls_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> explanation(const BugView& bug, Calls calls) { return Explainer(bug, calls).sentences(); }

}  // namespace ordeal::report
