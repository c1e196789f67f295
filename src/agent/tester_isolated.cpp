// Executions of random testing in processes of their own (isolation.h): the child goes on where this process is, and tells all that it
// knows then; that is what this process goes on with.
#include <algorithm>
#include <sstream>
#include <type_traits>
#include <utility>

#include "agent/isolation.h"
#include "agent/native_trace.h"
#include "agent/plugin.h"
#include "agent/tester.h"
#include "runtime/debugger.h"
#include "runtime/footprint.h"
#include "runtime/outside.h"
#include "runtime/stand_ins.h"
#include "runtime/watchdog.h"
#include "trace/format.h"
#include "trace/run_result_format.h"

namespace ordeal::agent {

using runtime::Testing;

namespace {

/// Plain data, for another process that is a fork of the same.
template <class T>
void write_bytes(std::ostream& text, const T& data) {
  static_assert(std::is_trivially_copyable_v<T>);
  for (std::size_t i = 0; i < sizeof data; ++i) text << ' ' << static_cast<unsigned>(reinterpret_cast<const unsigned char*>(&data)[i]);
}
template <class T>
void read_bytes(std::istream& text, T& data) {
  static_assert(std::is_trivially_copyable_v<T>);
  for (std::size_t i = 0; i < sizeof data; ++i) {
    unsigned byte = 0;
    text >> byte;
    reinterpret_cast<unsigned char*>(&data)[i] = static_cast<unsigned char>(byte);
  }
}

}  // namespace

/// Line by line: what is no part of a result, then the result.
std::string Tester::tell_all() {
  std::ostringstream text;
  if (!program_.refused().empty()) tell_refused();
  if (const std::string fault = Plugin::fault(); !fault.empty()) result_.cannot_check = fault;
  note_what_was_seen();
  text << window_was_used_ << ' ' << runtime::StandIns::gave_time << ' ' << runtime::StandIns::gave_random_numbers << ' ' << runtime::StandIns::gave_named_semaphores << ' ' << outside_cuts_ << ' ' << cut_ << ' ' << left_out_ << ' ' << is_different_ << ' ' << too_long_ << ' ' << is_observer_asked_ << ' ' << is_watched_whole_ << ' ' << seen_notes_.size() << ' ' << known_.size() << ' ' << again_.size() << '\n';
  for (const Known& known : known_) {
    text << static_cast<int>(known.kind) << ' ' << known.bug << ' ' << known.last << ' ' << known.operations << ' ' << known.sites.size();
    for (const std::uint32_t site : known.sites) text << ' ' << site;
    text << '\n';
  }
  for (const Again& again : again_) {
    text << static_cast<int>(again.sort) << ' ' << again.bug;
    write_bytes(text, again.race);
    text << '\n';
  }
  for (const std::string& note : seen_notes_) text << note << '\n';
  text << (runtime::Footprint::found != nullptr ? runtime::Footprint::found : "") << '\n';
  const std::string watched = is_observer_asked_ ? trace::write(watched_) : "";
  text << watched.size() << '\n' << watched << trace::write(result_);
  return text.str();
}

/// The reverse of it. False: it is not whole.
bool Tester::take_all(const std::string& told) {
  std::istringstream text(told);
  std::size_t count = 0, notes = 0, agains = 0;
  text >> window_was_used_ >> runtime::StandIns::gave_time >> runtime::StandIns::gave_random_numbers >> runtime::StandIns::gave_named_semaphores >> outside_cuts_ >> cut_ >> left_out_ >> is_different_ >> too_long_ >> is_observer_asked_ >> is_watched_whole_ >> notes >> count >> agains;
  std::vector<Known> known(text ? count : 0);
  for (Known& each : known) {
    int kind = 0;
    std::size_t sites = 0;
    text >> kind >> each.bug >> each.last >> each.operations >> sites;
    each.kind = static_cast<trace::BugKind>(kind);
    each.sites.resize(sites);
    for (std::uint32_t& site : each.sites) text >> site;
  }
  std::vector<Again> again(text ? agains : 0);
  for (Again& each : again) {
    int sort = 0;
    text >> sort >> each.bug;
    each.sort = static_cast<Again::Sort>(sort);
    read_bytes(text, each.race);
  }
  std::string line;
  std::getline(text, line);
  seen_notes_.resize(text ? notes : 0);
  for (std::string& note : seen_notes_) std::getline(text, note);
  std::getline(text, footprint_);
  std::size_t length = 0;
  text >> length;
  std::getline(text, line);
  if (!text) return false;
  const std::string_view rest = std::string_view(told).substr(static_cast<std::size_t>(text.tellg()));
  if (length > rest.size()) return false;
  watched_ = length == 0 ? trace::Trace() : trace::read(rest.substr(0, length));
  result_ = trace::read_run_result(rest.substr(length));
  known_ = std::move(known);
  again_ = std::move(again);
  return true;
}

/// Libraries that the program has opened, here or in processes before.
void Tester::note_modules() {
  if (!runtime::Footprint::has_libraries) return;
  for (trace::Module& module : modules())
    if (std::none_of(result_.modules.begin(), result_.modules.end(), [&](const trace::Module& known) { return known.base == module.base; })) result_.modules.push_back(std::move(module));
}

/// What the program has left behind in this process, such as mapped memory, would be there when it is run again.
bool Tester::needs_another_process() {
  return runtime::Footprint::has_libraries || (runtime::Footprint::is_own_process && runtime::Footprint::found != nullptr && !runtime::Debugger::is_on);
}

bool Tester::is_left_for_later(const Again& again, const runtime::Failure& failure, std::uint64_t number) {
  if (!needs_another_process()) return false;
  recorded_ = {};
  add_bug(failure, number);
  again_.push_back(again);
  return true;
}

/// In a process in which no execution was yet.
void Tester::show_again(const Again& again, std::uint64_t number) {
  bug_ = again.bug;
  if (again.sort == Again::Sort::kRace) return show_race(again.race, number);
  if (again.sort == Again::Sort::kWeak) return show_weak(number);
  const runtime::Testing::Ending ending = record(number);
  if (again.sort == Again::Sort::kNotSc) {
    runtime::Failure failure;
    failure.kind = trace::BugKind::kNotSc;
    return add_bug(failure, number);
  }
  const trace::BugKind kind = result_.bugs[bug_].kind;
  const runtime::Failure* found = program_.failure();
  if (again.sort == Again::Sort::kFailure && found != nullptr && found->kind == kind) return add_bug(*found, number);
  if (again.sort == Again::Sort::kWaiting && (ending == Testing::Ending::kDeadlock || ending == Testing::Ending::kNoProgress || program_.has_exited())) {
    runtime::Failure failure = waiting(ending);
    for (runtime::Failure::Side& side : failure.sides) side.stack = Testing::stack_of(program_, side.thread);
    if (failure.kind == kind && !failure.sides.empty()) return add_bug(failure, number);
  }
  note_difference();
}

void Tester::run_isolated(std::uint64_t number, const runtime::Failure* failure_found) {
  run_isolated(number, failure_found, nullptr);
  for (const Again& again : std::exchange(again_, {})) run_isolated(number, nullptr, &again);
}

void Tester::run_isolated(std::uint64_t number, const runtime::Failure* failure_found, const Again* again) {
  struct Call {
    Tester* tester;
    std::uint64_t number;
    const runtime::Failure* failure;  // what is to be reported; nullptr: it is to be judged
    const Again* again;               // what is to be shown
  };
  constexpr double kGrace = 5;  // seconds for a child to end by itself
  const double left = time_limit_ > 0 ? time_limit_ - (seconds_now() - started_) : 0;
  Call call{this, number, failure_found, again};
  const auto run = [](void* data) {
    const Call& asked = *static_cast<Call*>(data);
    asked.tester->start_watchdog();
    runtime::Footprint::is_own_process = true;
    if (asked.again != nullptr) asked.tester->show_again(*asked.again, asked.number);
    else if (asked.failure != nullptr) asked.tester->report_watched(*asked.failure, asked.number);
    else asked.tester->run_one(asked.number);
    return asked.tester->tell_all();
  };
  const Isolation::Outcome outcome = Isolation::run(run, &call, time_limit_ > 0 ? left + kGrace : 0);
  if (!outcome.is_started) {
    result_.cannot_check = "no process could be started for an execution";
    return;
  }
  if (outcome.signal == 0 && take_all(outcome.text)) return;
  if (runtime::Watchdog::is_over() || again != nullptr) return;
  ++result_.executions;
  runtime::Failure failure;
  failure.kind = trace::BugKind::kSignal;
  failure.message = outcome.signal == 0 ? "the process ended without a word" : "the process was ended by signal " + std::to_string(outcome.signal);
  operations_ = 0;  // it did not tell
  if (is_new(failure, number)) add_bug(failure, number);
}

/// What an execution left in the system decides about those that follow.
void Tester::run_next(std::uint64_t number) {
  if (is_isolated_) run_isolated(number);
  else run_one(number);
  if (std::exchange(runtime::Footprint::must_begin_again, false)) {
    if (options_.isolate == 0) result_.cannot_check = "dlopen while the program runs needs a process of its own for each execution (leave out --in-place)";
    else run_isolated(number);
  }
  ask_observer(number);
  if (options_.isolate >= 0) return;
  if (!is_isolated_ && runtime::Footprint::found != nullptr) footprint_ = runtime::Footprint::found;
  is_isolated_ = !footprint_.empty();
}

void Tester::tell_isolation() {
  if (options_.isolate < 0 && is_isolated_) result_.notes.push_back("each execution ran in a process of its own, because the program " + footprint_);
  const std::string why = "all threads waited, some of them for what is outside the program";
  if (outside_cuts_ > 0 && outside_cuts_ == result_.executions) result_.bounds.push_back("every execution was cut: " + why);
  else if (outside_cuts_ > 0) result_.notes.push_back(std::to_string(outside_cuts_) + (outside_cuts_ == 1 ? " execution was" : " executions were") + " cut: " + why);
}

}  // namespace ordeal::agent
