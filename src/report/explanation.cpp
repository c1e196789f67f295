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
  explicit Explainer(const BugView& bug) : bug_(bug), trace_(bug.trace()) {}

  std::vector<std::string> sentences() {
    switch (bug_.bug().kind) {
      case BugKind::kDataRace: explain_race(); break;
      case BugKind::kDeadlock: explain_waiting(); break;
      case BugKind::kNoProgress: explain_waiting(); break;
      case BugKind::kUseAfterFree:
      case BugKind::kDoubleFree:
      case BugKind::kOutOfBounds:
      case BugKind::kUninitialisedLoad: explain_block(); break;
      case BugKind::kExitCode:
      case BugKind::kLeak: break;
      default: explain_calls(); break;
    }
    if (bug_.bug().kind != BugKind::kDataRace) explain_old_values();
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

  void explain_race() {
    const std::vector<PartyView>& parties = bug_.parties();
    if (parties.size() < 2) return;
    const std::ptrdiff_t a = parties[0].event, b = parties[1].event;
    if (a >= 0 && b >= 0) {
      const auto first = static_cast<std::size_t>(a), second = static_cast<std::size_t>(b);
      if (explain_weak_synchronisation(first, second) || explain_weak_synchronisation(second, first)) return;
    }
    sentences_.push_back("Nothing orders the two accesses: neither happens before the other.");
    for (std::size_t i = 0; i < 2; ++i) {
      const std::int32_t thread = bug_.bug().parties[i].thread;
      explain_last_synchronisation(thread, parties[i].event);
    }
  }

  /// Whether a fence of this kind stands between two events of one thread.
  bool has_fence(const TraceEvent& from, const TraceEvent& to, bool (*is_right)(MemoryOrder)) const {
    return std::any_of(trace_.events.begin(), trace_.events.end(), [&](const TraceEvent& fence) {
      return fence.kind == EventKind::kFence && fence.name.thread == from.name.thread &&
             fence.name.index > from.name.index && fence.name.index < to.name.index && is_right(fence.order);
    });
  }

  /// `earlier` is followed by a store that the other thread read before `later`: that should have ordered them.
  bool explain_weak_synchronisation(std::size_t earlier, std::size_t later) {
    for (std::size_t i = trace_.events.size(); i-- > 0;) {
      const TraceEvent& read = event(i);
      if (read.kind != EventKind::kRead || read.name.thread != event(later).name.thread) continue;
      if (read.name.index >= event(later).name.index || read.rf.thread != event(earlier).name.thread) continue;
      const std::ptrdiff_t source = bug_.rows().index_of(read.rf);
      if (source < 0 || read.rf.index <= event(earlier).name.index) continue;
      const TraceEvent& write = event(static_cast<std::size_t>(source));
      const bool releases = model::releases(write.order) || has_fence(event(earlier), write, model::releases);
      const bool acquires = model::acquires(read.order) || has_fence(read, event(later), model::acquires);
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

  void explain_last_synchronisation(std::int32_t thread, std::ptrdiff_t access) {
    std::ptrdiff_t last = -1, created = -1;
    const std::int32_t end = access < 0 ? INT32_MAX : event(static_cast<std::size_t>(access)).name.index;
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      if (event(i).kind == EventKind::kCreate && event(i).other == thread) created = static_cast<std::ptrdiff_t>(i);
      if (event(i).name.thread == thread && event(i).name.index < end && synchronises(event(i)))
        last = static_cast<std::ptrdiff_t>(i);
    }
    if (last >= 0)
      sentences_.push_back(fmt::format("Before its access {} last synchronised{}.", bug_.thread(thread),
                                       with(static_cast<std::size_t>(last))));
    else if (created >= 0)
      sentences_.push_back(fmt::format("{} has not synchronised since {} created it{}.", bug_.thread(thread),
                                       this->thread(static_cast<std::size_t>(created)),
                                       where(static_cast<std::size_t>(created))));
    else
      sentences_.push_back(fmt::format("{} has not synchronised with another thread before.", bug_.thread(thread)));
  }
  bool synchronises(const TraceEvent& event) const {
    if (event.kind == EventKind::kJoin) return true;
    return event.kind == EventKind::kRead && model::acquires(event.order) && event.rf.thread >= 0 &&
           event.rf.thread != event.name.thread;
  }
  std::string with(std::size_t index) const {
    if (event(index).kind == EventKind::kJoin)
      return fmt::format(" when it joined {}{}", bug_.thread(event(index).other), where(index));
    return fmt::format(" with {} when it read {}{}", bug_.thread(event(index).rf.thread), location(index),
                       where(index));
  }

  // --- others --------------------------------------------------------------------------------------------------------

  /// Who holds what is waited for.
  void explain_waiting() {
    for (std::size_t i = 0; i < bug_.parties().size(); ++i) {
      const std::uint64_t address = bug_.bug().parties[i].address;
      const std::int32_t location = address == 0 ? -1 : bug_.location_of(address);
      std::ptrdiff_t last = -1;
      for (std::size_t e = 0; location >= 0 && e < trace_.events.size(); ++e)
        if (event(e).kind == EventKind::kWrite && event(e).location == location) last = static_cast<std::ptrdiff_t>(e);
      if (last < 0) continue;
      const auto index = static_cast<std::size_t>(last);
      const bool is_held =
          event(index).is_rmw && event(index).value != 0 && event(index).name.thread != bug_.bug().parties[i].thread;
      if (is_held && bug_.bug().kind == BugKind::kDeadlock)
        sentences_.push_back(
            fmt::format("{} holds {} since it locked it{}.", thread(index), this->location(index), where(index)));
      else
        sentences_.push_back(fmt::format("The last store to {} was {} by {}{}.", this->location(index), value(index),
                                         thread(index), where(index)));
    }
  }

  void explain_block() {
    const trace::TraceObject* object = bug_.object();
    if (object == nullptr) return;
    const auto at = [](const std::string& place) { return place.empty() ? "" : " at " + place; };
    const auto by = [&](std::int32_t thread) { return thread < 0 ? "" : " by " + bug_.thread(thread); };
    std::string text = fmt::format("The block of {} bytes was allocated{}{}", object->size, at(bug_.object_place()),
                                   by(object->thread));
    if (object->freed_by >= 0) text += fmt::format(" and freed{}{}", at(bug_.freed_place()), by(object->freed_by));
    sentences_.push_back(text + ".");
  }

  /// How the program got there.
  void explain_calls() {
    if (bug_.parties().empty() || bug_.parties()[0].calls.size() < 2) return;
    constexpr std::size_t kMost = 5;
    const PartyView& party = bug_.parties()[0];
    std::string text = fmt::format("{} was in {}", party.thread, function(party.calls[0]));
    for (std::size_t i = 1; i < std::min(party.calls.size(), kMost); ++i)
      text += fmt::format(", called by {} at {}", function(party.calls[i]), place_text(party.calls[i]));
    sentences_.push_back(text + ".");
  }
  static std::string function(const SourcePlace& place) {
    return place.function.empty() ? "a function" : printable(place.function);
  }

  /// The last few reads that do not return the newest store above them.
  void explain_old_values() {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> found;
    const std::vector<std::size_t>& rows = bug_.rows().events();
    for (std::size_t r = rows.size(); r-- > 0 && found.size() < kMost;) {
      const std::size_t index = rows[r];
      const std::ptrdiff_t skipped = event(index).kind == EventKind::kRead ? bug_.rows().skipped(index) : -1;
      if (skipped < 0) continue;
      const auto newer = static_cast<std::size_t>(skipped);
      found.push_back(fmt::format("{} reads {} = {}{}, although {} had stored {}{}.", thread(index), location(index),
                                  value(index), where(index), thread(newer), value(newer), where(newer)));
    }
    sentences_.insert(sentences_.end(), found.rbegin(), found.rend());
    if (!found.empty()) sentences_.push_back("Without synchronisation a load may return an older value.");
  }

  const BugView& bug_;
  const trace::Trace& trace_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> explanation(const BugView& bug) { return Explainer(bug).sentences(); }

}  // namespace ordeal::report
