// Executions of random testing without a bug, for --sc-analysis, --require-sc and --observer: each is recorded while it runs, and looked at
// when it is over. Without these options nothing is recorded.
#include <utility>

#include "agent/tester.h"
#include "runtime/debugger.h"
#include "runtime/footprint.h"
#include "runtime/test_recorder.h"

namespace ordeal::agent {

using analysis::Sc;
using runtime::Failure;
using runtime::Testing;

namespace {

constexpr std::size_t kMostWatched = 200'000;  // events

}  // namespace

void Tester::begin_watching() {
  if (is_watching_) runtime::TestRecorder::begin(kMostWatched);
}

void Tester::end_watching(Testing::Ending ending) {
  watched_ = {};
  if (!is_watching_) return;
  watched_ = runtime::TestRecorder::end(program_.thread_count());
  is_watched_whole_ = runtime::TestRecorder::was_whole();
  watched_.ending = ending == Testing::Ending::kComplete ? engine::Ending::kComplete : engine::Ending::kBlocked;
  complete(watched_);
}

void Tester::judge_watched(std::uint64_t number) {
  if (!is_watching_) return;
  if (watched_.ending == engine::Ending::kComplete && judge_sc(number)) return;
  if (observer_.is_loaded()) is_observer_asked_ = true;
}

Sc Tester::sc_of(const trace::Trace& trace) {
  operations_of_.assign(trace);
  return sc_equivalence_.decide(operations_of_);
}

/// True: it is a bug.
bool Tester::judge_sc(std::uint64_t number) {
  if (!result_.sc) return false;
  const Sc answer = is_watched_whole_ ? sc_of(watched_) : Sc::kUndecided;
  ++(answer == Sc::kYes ? result_.sc->sc : answer == Sc::kNo ? result_.sc->not_sc : result_.sc->undecided);
  if (!is_watched_whole_) ++too_long_;
  if (answer != Sc::kNo) return false;
  if (options_.require_sc) {
    Failure failure;
    failure.kind = trace::BugKind::kNotSc;
    report_watched(failure, number);
    return true;
  }
  if (!options_.sc_shown || !result_.not_sc.empty() || watched_.events.size() > runtime::TestRecorder::kMostEvents) return false;
  if (needs_another_process()) again_.push_back({Again::Sort::kWeak});
  else show_weak(number);
  return false;
}

/// The first that is no interleaving.
void Tester::show_weak(std::uint64_t number) {
  record(number);
  complete(recorded_);
  add_objects(recorded_);
  if (sc_of(recorded_) != Sc::kNo) note_difference();
  else result_.not_sc.push_back(std::move(recorded_));
  recorded_ = {};
}

/// What it found is a bug like others: counted, and the shortest execution is shown.
void Tester::report_watched(const Failure& failure, std::uint64_t number) {
  if (runtime::Debugger::is_on) runtime::Debugger::stop_after(program_, failure);
  const bool is_told = is_new(failure, number);
  ++result_.failed;
  if (!is_told || is_left_for_later({Again::Sort::kNotSc, bug_}, failure, number)) return;
  record(number);
  add_bug(failure, number);
}

/// The observer lives in the process that lasts. An execution that ran in a process of its own has told what it did.
void Tester::ask_observer(std::uint64_t number) {
  if (!std::exchange(is_observer_asked_, false)) return;
  const ObserverPlugin::Opinion opinion = is_watched_whole_ ? observer_.look_at(watched_) : ObserverPlugin::Opinion{ORDEAL_FINE, "", false};
  if (!opinion.was_asked) ++unseen_;
  if (opinion.kind == ORDEAL_ENOUGH) result_.bounds.push_back("the observer '" + std::string(observer_.name()) + "', which had seen enough");
  if (opinion.kind != ORDEAL_BUG) return;
  Failure failure;
  failure.kind = trace::BugKind::kObserver;
  failure.message = "'" + std::string(observer_.name()) + "'" + (opinion.message.empty() ? "" : ": " + opinion.message);
  if (is_isolated_) run_isolated(number, &failure);
  else report_watched(failure, number);
}

/// What it has not seen is told: silence would be a pass.
void Tester::tell_watching() {
  const auto executions = [](std::uint64_t count) { return std::to_string(count) + (count == 1 ? " execution" : " executions"); };
  const char* why = " that had too many operations to be kept";
  if (options_.require_sc && result_.sc->undecided > 0)
    result_.bounds.push_back("--require-sc, which could not decide about " + executions(result_.sc->undecided) + (too_long_ == result_.sc->undecided ? why : ""));
  else if (too_long_ > 0) result_.notes.push_back("--sc-analysis did not look at " + executions(too_long_) + why);
  if (unseen_ > 0) result_.bounds.push_back("the observer '" + std::string(observer_.name()) + "', which did not see " + executions(unseen_) + why);
  if (!observer_.is_loaded()) return;
  if (const std::string note = observer_.note(); !note.empty()) result_.notes.push_back("observer '" + std::string(observer_.name()) + "': " + note);
}

}  // namespace ordeal::agent
