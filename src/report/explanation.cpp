#include "report/explanation.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/cycle_text.h"
#include "report/printable.h"
#include "report/proposal.h"
#include "report/why_old_values.h"
#include "report/why_race.h"
#include "report/why_waiting.h"

namespace ordeal::report {

using trace::BugKind;

namespace {

class Explainer {
 public:
  Explainer(const BugView& bug, Calls calls) : bug_(bug), calls_(calls) {}

  std::vector<std::string> sentences() {
    switch (bug_.bug().kind) {
      case BugKind::kDataRace: explain_race(); break;
      case BugKind::kDeadlock:
      case BugKind::kNoProgress: add(why_waiting(bug_)); break;
      case BugKind::kUseAfterFree:
      case BugKind::kDoubleFree:
      case BugKind::kMismatchedFree:
      case BugKind::kOutOfBounds:
      case BugKind::kUninitialisedLoad: explain_block(); break;
      case BugKind::kExitCode:
      case BugKind::kNotSc:
      case BugKind::kLeak: break;
      default: explain_calls(); break;
    }
    explain_chance();
    add(why_old_values(bug_));
    if (std::string text = proposal(bug_); !text.empty()) sentences_.push_back(std::move(text));
    if (bug_.bug().kind == BugKind::kNotSc) sentences_.push_back(cycle_text(bug_.rows()));
    return std::move(sentences_);
  }

 private:
  void add(std::vector<std::string> more) { sentences_.insert(sentences_.end(), more.begin(), more.end()); }

  void explain_race() {
    add(why_race(bug_));
    const bool has_chain = !sentences_.empty() && sentences_.front() != kNothingOrders;
    if (!has_chain && !bug_.trace().events.empty()) explain_block();
  }

  /// What happened for no reason: a wait that ended without a notification, a compare-exchange that failed.
  void explain_chance() {
    constexpr std::size_t kMost = 2;
    std::vector<std::string> told;
    for (const std::size_t index : bug_.rows().events()) {
      const trace::TraceEvent& event = bug_.trace().events[index];
      const std::string where = fmt::format("{} [{}]", bug_.place(index).empty() ? "" : " at " + bug_.place(index), bug_.rows().letter(index));
      if (event.about == model::ChoiceOf::kWakeUp && event.value != 0)
        told.push_back(fmt::format("{} goes on without a notification{}: a wait may end for no reason.", bug_.thread(event.name.thread), where));
      if (event.about == model::ChoiceOf::kTimeLimit && event.value != 0)
        told.push_back(fmt::format("{} does not wait any longer{}: its time is up.", bug_.thread(event.name.thread), where));
      if (event.failed_spuriously)
        told.push_back(fmt::format("The compare-exchange of {}{} fails although it finds what it expects: a weak one may do so.", bug_.thread(event.name.thread), where));
    }
    if (told.size() <= kMost) add(std::move(told));
  }

  void explain_block() {
    const trace::TraceObject* object = bug_.object();
    if (object == nullptr || calls_ == Calls::kShown) return;
    const auto at = [](const std::string& place) { return place.empty() ? "" : " at " + place; };
    const auto by = [&](std::int32_t thread) { return thread < 0 ? "" : " by " + bug_.thread(thread); };
    std::string text = fmt::format("The block of {} bytes was allocated{}{}", object->size, at(bug_.object_place()),
                                   by(object->thread));
    const bool is_own = !bug_.bug().parties.empty() && bug_.bug().parties.front().thread == object->thread;
    const bool is_said = is_own && bug_.memory().find(" allocated at ") != std::string::npos;  // in the headline
    if (is_said && object->freed_by < 0) return;
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

  const BugView& bug_;
  Calls calls_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> explanation(const BugView& bug, Calls calls) { return Explainer(bug, calls).sentences(); }

}  // namespace ordeal::report
