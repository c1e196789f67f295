#include "agent/tester.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "agent/native_trace.h"
#include "agent/output.h"
#include "agent/plugin.h"
#include "runtime/annotations.h"
#include "runtime/debugger.h"
#include "runtime/footprint.h"
#include "runtime/forked.h"
#include "runtime/hidden_code.h"
#include "runtime/layout.h"
#include "runtime/outside.h"
#include "runtime/program_image.h"
#include "runtime/stand_ins.h"
#include "runtime/sync.h"
#include "runtime/test_recorder.h"
#include "runtime/watchdog.h"

namespace ordeal::agent {

using runtime::Failure;
using runtime::Testing;

namespace {

double now() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string executions(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " execution" : " executions"); }

constexpr std::uint64_t kDefaultExecutions = 1000;
constexpr double kDefaultTime = 60;      // seconds
constexpr double kDefaultWatchdog = 60;  // seconds; whole programs compute for long

/// One that has the number of so many before it.
std::string follower_name(int thread, int which) { return thread_name(thread) + " #" + std::to_string(which + 1); }
/// The last with this number, in what was recorded.
std::string name_in_trace(int thread) {
  const int which = runtime::TestRecorder::here(thread).which;
  return which == 0 ? thread_name(thread) : follower_name(thread, which);
}

}  // namespace

Tester::Tester(const Options& options, trace::RunResult& result)
    : options_(options), result_(result), program_(&runtime::run_program, nullptr),
      strategy_(is_plugin(options.strategy) ? Plugin::strategy() : sample::make_strategy(options.strategy)) {
  runtime::is_testing = true;
  runtime::Debugger::is_on = options.debug;
  runtime::Debugger::race = options.race;
  if (!runtime::RaceShadow::open()) result.cannot_check = "the system does not give the addresses that testing needs (ulimit -v, or vm.overcommit_memory is 2)";
  runtime::explore_spurious = options.spurious;
  runtime::VolatileAccess::meaning = options.volatile_as;
  program_.set_yielding(true);
  if (options.exit_code) program_.judge_exit_code();
  result_.strategy = options.strategy;
  result_.seed = options.seed;
  result_.first = options.first;
  runtime::Outside::real_time = options.real_time;
  is_isolated_ = options.isolate != 0;  // the first execution shows whether it must be
  runtime::Footprint::is_own_process = options.debug;
  if (const std::string why = options.observer.empty() ? "" : observer_.load(options.observer); !why.empty()) result.cannot_check = "the observer '" + options.observer + "' cannot be used: " + why;
  if (options.sc_analysis || options.require_sc) result_.sc = trace::ScCounts();
  is_watching_ = result_.sc || observer_.is_loaded();
  first_file_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  close(first_file_);
  runtime::Footprint::begin();
}

void Tester::run() {
  if (result_.cannot_check.empty() && strategy_ == nullptr) result_.cannot_check = Plugin::error();
  if (!result_.cannot_check.empty()) {
    result_.verdict = trace::Verdict::kCannotCheck;
    return;
  }
  const bool has_limit = options_.time > 0 || options_.executions > 0;
  time_limit_ = options_.time > 0 ? options_.time : has_limit ? 0 : kDefaultTime;
  const std::uint64_t executions = options_.executions > 0 ? options_.executions : options_.time > 0 ? ~std::uint64_t{0} - options_.first : kDefaultExecutions;
  started_ = last_progress_ = now();
  start_watchdog();
  if (observer_.is_loaded()) observer_.begin();
  for (std::uint64_t n = 0; n < executions && !is_over(); ++n) run_next(options_.first + n);
  runtime::Watchdog::stop();
  result_.seconds = now() - started_;
  if (options_.progress) Output::tell("\r\033[K");
  tell_end();
  result_.verdict = verdict();
}

void Tester::tell_end() {
  const runtime::Watchdog::Over over = runtime::Watchdog::over();
  if (over == runtime::Watchdog::Over::kInterrupt) result_.bounds.emplace_back("interrupted");
  else if (result_.executions == 0 && over == runtime::Watchdog::Over::kTime) result_.bounds.emplace_back("--time, before the first execution had ended");
  else if (cut_ > 0 && cut_ == result_.executions) result_.bounds.push_back("--max-events " + std::to_string(Testing::limit(options_.max_events)) + ", which no execution kept");
  else if (left_out_ > 0 && left_out_ + cut_ == result_.executions) result_.bounds.emplace_back("ordeal_assume, which no execution kept");
  if (cut_ > 0 && cut_ < result_.executions) result_.notes.push_back("--max-events cut " + executions(cut_));
  if (left_out_ > 0 && left_out_ < result_.executions) result_.notes.push_back("ordeal_assume ended " + executions(left_out_));
  if (!program_.refused().empty()) tell_refused();
  if (const std::string fault = Plugin::fault(); !fault.empty()) result_.cannot_check = fault;
  note_what_was_seen();
  for (const std::string& note : seen_notes_) result_.notes.push_back(note);
  tell_isolation();
  for (std::string& note : runtime::StandIns::notes()) result_.notes.push_back(std::move(note));
  if (is_watching_) tell_watching();
  if (window_was_used_) result_.notes.emplace_back("some object had more than a million stores that could be read: the oldest were left out");
  if (is_different_) result_.notes.emplace_back("not deterministic: an execution that was run again went another way, so a replay may, too");
}

/// Who was interrupted has not made the sample that was asked for.
trace::Verdict Tester::verdict() const {
  if (!result_.cannot_check.empty()) return trace::Verdict::kCannotCheck;
  if (!result_.bugs.empty()) return trace::Verdict::kBug;
  return result_.bounds.empty() ? trace::Verdict::kSampled : trace::Verdict::kBounded;
}

void Tester::tell_refused() {
  result_.cannot_check = program_.refused();
  result_.where = runtime::Stacks::get(program_.refused_stack());
  result_.parties = program_.refused_parties();
}

/// Notes of this process, each once.
void Tester::note_what_was_seen() {
  std::vector<std::string> notes = runtime::Annotations::notes();
  for (std::string& note : runtime::HiddenCode::notes()) notes.push_back(std::move(note));
  for (std::string& note : runtime::Forked::notes()) notes.push_back(std::move(note));
  for (std::string& note : notes)
    if (std::find(seen_notes_.begin(), seen_notes_.end(), note) == seen_notes_.end()) seen_notes_.push_back(std::move(note));
}

double Tester::seconds_now() { return now(); }

/// For as long as is left.
void Tester::start_watchdog() {
  constexpr double kLittle = 0.01;
  const double left = time_limit_ > 0 ? std::max(time_limit_ - (now() - started_), kLittle) : 0;
  runtime::Watchdog::start(options_.watchdog >= 0 ? options_.watchdog : kDefaultWatchdog, left, true);
}

bool Tester::is_over() {
  if (runtime::Watchdog::is_over() || !result_.cannot_check.empty() || !program_.refused().empty() || !Plugin::fault().empty()) return true;
  if (!result_.bounds.empty()) return true;  // the observer has seen enough
  if (!options_.progress || (result_.executions & 15) != 0) return false;
  const double time = now();
  if (time - last_progress_ < 1) return false;
  last_progress_ = time;
  Output::tell("\r" + std::to_string(result_.executions) + " executions, " + std::to_string(static_cast<std::uint64_t>(static_cast<double>(result_.executions) / (time - started_))) + " a second, " +
               std::to_string(static_cast<int>(time - started_)) + " s, " + std::to_string(result_.bugs.size()) + (result_.bugs.size() == 1 ? " bug" : " bugs") + "\033[K");
  return false;
}

void Tester::run_one(std::uint64_t number) {
  Output::clear();
  begin_watching();
  const Testing::Ending ending = Testing::run(program_, *strategy_, {options_.seed, number, options_.max_events});
  end_watching(ending);
  note_modules();
  if (runtime::Footprint::must_begin_again) return;
  if (runtime::Watchdog::is_over() && ending == Testing::Ending::kCut) return;
  runtime::Footprint::look_at_files(first_file_);
  if (ending == Testing::Ending::kCut && Testing::why_cut() != nullptr) ++outside_cuts_;
  ++result_.executions;
  result_.threads = std::max(result_.threads, static_cast<std::uint32_t>(program_.thread_count()));
  result_.events = std::max(result_.events, static_cast<std::uint32_t>(Testing::operations()));
  result_.atomics += Testing::atomics();
  window_was_used_ |= Testing::window_was_used();
  if (ending == Testing::Ending::kCut && Testing::why_cut() == nullptr && program_.refused().empty()) {
    if (Testing::cut() == engine::Cut::kBound) ++cut_;
    if (Testing::cut() == engine::Cut::kAssumption) ++left_out_;
  }
  operations_ = Testing::operations();
  if (const std::string why = runtime::Forked::refused(); !why.empty()) result_.cannot_check = why + ", in a process that the program forked";
  else judge(number, ending);
}

void Tester::judge(std::uint64_t number, Testing::Ending ending) {
  if (!program_.refused().empty()) return;
  std::vector<Testing::Race> races = Testing::races();  // those who follow may run the execution again
  if (ending == Testing::Ending::kDeadlock || ending == Testing::Ending::kNoProgress || (ending == Testing::Ending::kComplete && program_.has_exited())) judge_waiting(number, ending);
  if (program_.failure() != nullptr) judge_failure(number);
  judge_races(number, std::move(races));
  if (std::any_of(known_.begin(), known_.end(), [&](const Known& known) { return known.last == number; })) ++result_.failed;
  else judge_watched(number);
}

bool Tester::is_new(const Failure& failure, std::uint64_t number) {
  std::vector<std::uint32_t> sites;
  for (const Failure::Side& side : failure.sides) sites.push_back(side.site);
  std::sort(sites.begin(), sites.end());
  if (failure.kind == trace::BugKind::kObserver) sites.push_back(static_cast<std::uint32_t>(std::hash<std::string>{}(failure.message)));  // its words tell
  for (Known& known : known_) {
    if (known.kind != failure.kind || known.sites != sites) continue;
    if (known.last != number) ++result_.bugs[known.bug].count;
    known.last = number;
    bug_ = known.bug;
    return operations_ < std::exchange(known.operations, std::min(known.operations, operations_));
  }
  bug_ = result_.bugs.size();
  known_.push_back({failure.kind, sites, bug_, number, operations_});
  return true;
}

trace::CodeAddress Tester::whole_address(std::uint32_t site) const {
  constexpr trace::CodeAddress kLow = 0xFFFFFFFF;
  for (const trace::Module& module : result_.modules) {
    trace::CodeAddress address = (module.base & ~kLow) | site;
    if (address < module.base) address += kLow + 1;
    if (address < module.end) return address;
  }
  return site;
}

void Tester::add_bug(const Failure& failure, std::uint64_t number) {
  if (!is_known_who(failure)) recorded_ = {};
  trace::Bug bug;
  bug.kind = failure.kind;
  bug.message = failure.message;
  bug.address = failure.address;
  bug.size = static_cast<std::uint32_t>(failure.size);
  bug.first = bug.shown = number;
  for (const Failure::Side& side : failure.sides) {
    std::vector<trace::CodeAddress> stack = runtime::Stacks::get(side.stack);
    if (stack.empty() && side.site != 0) stack.push_back(whole_address(side.site));
    const trace::EventName place = failure.kind == trace::BugKind::kUninitialisedLoad ? last_read(place_of(side)) : place_of(side);
    bug.parties.push_back({place.thread, side.what, side.address, place.index, std::move(stack), side.file, side.line});
  }
  bug.output = Output::text();
  bug.trace = std::exchange(recorded_, {});
  complete(bug.trace);
  add_objects(bug.trace);
  for (const Failure::Side& side : failure.sides) add_object(bug.trace, side.address, side.stack);
  add_object(bug.trace, failure.address, failure.sides.empty() ? 0 : failure.sides[0].stack);
  if (failure.kind == trace::BugKind::kOutOfBounds) add_nearest_block(bug.trace, failure.address);
  if (bug_ == result_.bugs.size()) return result_.bugs.push_back(std::move(bug));
  bug.count = result_.bugs[bug_].count;
  bug.first = result_.bugs[bug_].first;
  result_.bugs[bug_] = std::move(bug);
}

/// Threads of the program may have the same number, one after the other. Those of a race are told apart, those that wait or fail are the last.
bool Tester::is_known_who(const Failure& failure) {
  if (failure.kind == trace::BugKind::kDataRace || failure.kind == trace::BugKind::kDeadlock) return true;
  for (std::size_t i = 1; i < failure.sides.size(); ++i)
    if (runtime::TestRecorder::here(failure.sides[i].thread).which != 0) return false;
  return true;
}

/// Of one who takes part: the thread of the trace, and how many events it had.
trace::EventName Tester::place_of(const Failure::Side& side) {
  if (recorded_.events.empty()) return {side.thread, -1};
  runtime::TestRecorder::Place place = runtime::TestRecorder::here(side.thread);
  if (side.clock >= 0) place.events = side.clock;
  if (side.which >= 0) place.which = side.which;
  return runtime::TestRecorder::in_trace(side.thread, place, program_.thread_count());
}

/// A load is recorded before it is looked at what it read: it is the last of its thread.
trace::EventName Tester::last_read(const trace::EventName& place) const {
  for (auto event = recorded_.events.rbegin(); event != recorded_.events.rend(); ++event)
    if (event->name.thread == place.thread && event->kind == model::EventKind::kRead) return event->name;
  return place;
}

void Tester::complete(trace::Trace& trace) {
  trace.model = result_.model;
  trace.threads.clear();
  for (int t = 0; t < program_.thread_count(); ++t) trace.threads.push_back(thread_name(t));
  if (trace.events.empty()) return;
  std::vector<int> same(trace.threads.size(), 1);
  for (const int number : runtime::TestRecorder::followers())
    trace.threads.push_back(follower_name(number, same[static_cast<std::size_t>(number)]++));
}

/// REQUIRES: it was recorded last.
void Tester::add_objects(trace::Trace& trace) {
  for (std::size_t l = 0; l < trace.locations.size(); ++l) add_object(trace, trace.locations[l].address, runtime::TestRecorder::last_stacks()[l]);
}

Testing::Ending Tester::record(std::uint64_t number) {
  Output::clear();
  runtime::Stacks::is_recording = true;
  runtime::TestRecorder::begin();
  const Testing::Ending ending = Testing::run(program_, *strategy_, {options_.seed, number, options_.max_events});
  recorded_ = runtime::TestRecorder::end(program_.thread_count());
  recorded_.ending = ending == Testing::Ending::kDeadlock ? engine::Ending::kBlocked : engine::Ending::kComplete;
  runtime::Stacks::is_recording = false;
  note_modules();
  return ending;
}

/// Not if the time was over meanwhile.
void Tester::note_difference() { is_different_ |= !runtime::Watchdog::is_over(); }

void Tester::judge_failure(std::uint64_t number) {
  const Failure failure = *program_.failure();
  if (is_new(failure, number) && !is_left_for_later({Again::Sort::kFailure, bug_}, failure, number)) show_failure(failure, number);
}

/// If it goes another way this time, what is shown is what is known of the first.
void Tester::show_failure(const Failure& failure, std::uint64_t number) {
  std::string printed = Output::text();
  if (failure.kind != trace::BugKind::kNoProgress) record(number);  // that would take as long again
  const Failure* again = program_.failure();
  const bool is_same = again != nullptr && again->kind == failure.kind;
  if (is_same) return add_bug(Failure(*again), number);
  note_difference();
  recorded_ = {};
  add_bug(failure, number);
  result_.bugs[bug_].output = std::move(printed);
}

std::string Tester::describe_waiting(int thread) {
  if (const Testing::Lost lost = Testing::why_lost(thread); lost != Testing::Lost::kNo) return describe_lost(lost == Testing::Lost::kPassedOver);
  return describe_wait(program_, thread, program_.thread(thread).operation, recorded_.events.empty() ? &thread_name : &name_in_trace);
}

}  // namespace ordeal::agent
