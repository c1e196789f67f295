#include "agent/tester.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "agent/native_trace.h"
#include "agent/output.h"
#include "runtime/program_image.h"
#include "runtime/stand_ins.h"
#include "runtime/sync.h"
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

constexpr std::uint64_t kDefaultExecutions = 1000;
constexpr double kDefaultTime = 60;      // seconds
constexpr double kDefaultWatchdog = 10;  // seconds

std::string describe(const runtime::RaceAccess& access, std::size_t size) {
  return std::string(access.is_atomic ? "atomically " : "") + (access.is_write ? "writes " : "reads ") + std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

}  // namespace

Tester::Tester(const Options& options, trace::RunResult& result)
    : options_(options), result_(result), program_(&runtime::run_program, nullptr), strategy_(sample::make_strategy(options.strategy)) {
  runtime::is_testing = true;
  if (!runtime::RaceShadow::open()) result.cannot_check = "the system does not give the addresses that testing needs (ulimit -v, or vm.overcommit_memory is 2)";
  runtime::explore_spurious = options.spurious;
  program_.set_yielding(!options.exit_code);
}

void Tester::run() {
  if (!result_.cannot_check.empty()) {
    result_.verdict = trace::Verdict::kCannotCheck;
    return;
  }
  const bool has_limit = options_.time > 0 || options_.executions > 0;
  const double time = options_.time > 0 ? options_.time : has_limit ? 0 : kDefaultTime;
  const std::uint64_t executions = options_.executions > 0 ? options_.executions : options_.time > 0 ? ~std::uint64_t{0} - options_.first : kDefaultExecutions;
  runtime::Watchdog::start(options_.watchdog >= 0 ? options_.watchdog : kDefaultWatchdog, time, true);
  started_ = last_progress_ = now();
  for (std::uint64_t n = 0; n < executions && !is_over(); ++n) run_one(options_.first + n);
  runtime::Watchdog::stop();
  result_.seconds = now() - started_;
  if (options_.progress) Output::tell("\r\033[K");
  if (runtime::Watchdog::over() == runtime::Watchdog::Over::kInterrupt) result_.bounds.emplace_back("interrupted");
  if (!program_.refused().empty()) {
    result_.cannot_check = program_.refused();
    result_.where = runtime::Stacks::get(program_.refused_stack());
    result_.parties = program_.refused_parties();
  }
  for (std::string& note : runtime::StandIns::notes()) result_.notes.push_back(std::move(note));
  if (window_was_used_) result_.notes.emplace_back("some object had more than a million stores that could be read: the oldest were left out");
  if (!result_.cannot_check.empty()) result_.verdict = trace::Verdict::kCannotCheck;
  else result_.verdict = result_.bugs.empty() ? trace::Verdict::kSampled : trace::Verdict::kBug;
}

bool Tester::is_over() {
  if (runtime::Watchdog::is_over() || !program_.refused().empty()) return true;
  if (!options_.progress || (result_.executions & 15) != 0) return false;
  const double time = now();
  if (time - last_progress_ < 1) return false;
  last_progress_ = time;
  Output::tell("\r" + std::to_string(result_.executions) + " executions, " + std::to_string(static_cast<std::uint64_t>(static_cast<double>(result_.executions) / (time - started_))) + " a second, " +
               std::to_string(static_cast<int>(time - started_)) + " s\033[K");
  return false;
}

void Tester::run_one(std::uint64_t number) {
  Output::clear();
  const Testing::Ending ending = Testing::run(program_, *strategy_, {options_.seed, number, options_.max_events});
  if (runtime::Watchdog::is_over() && ending == Testing::Ending::kCut) return;
  ++result_.executions;
  result_.threads = std::max(result_.threads, static_cast<std::uint32_t>(program_.thread_count()));
  result_.events = std::max(result_.events, static_cast<std::uint32_t>(Testing::operations()));
  window_was_used_ |= Testing::window_was_used();
  judge(number, ending);
}

void Tester::judge(std::uint64_t number, Testing::Ending ending) {
  if (!program_.refused().empty()) return;
  if (const Failure* failure = program_.failure(); failure != nullptr && is_new(*failure, number)) add_bug(*failure, number);
  if (ending == Testing::Ending::kDeadlock || ending == Testing::Ending::kNoProgress) judge_waiting(number, ending);
  judge_races(number);
}

bool Tester::is_new(const Failure& failure, std::uint64_t number) {
  std::vector<std::uint32_t> sites;
  for (const Failure::Side& side : failure.sides) sites.push_back(side.site);
  std::sort(sites.begin(), sites.end());
  for (Known& known : known_) {
    if (known.kind != failure.kind || known.sites != sites) continue;
    if (known.last != number) ++result_.bugs[known.bug].count;
    known.last = number;
    return false;
  }
  known_.push_back({failure.kind, sites, result_.bugs.size(), number});
  return true;
}

void Tester::add_bug(const Failure& failure, std::uint64_t number) {
  trace::Bug bug;
  bug.kind = failure.kind;
  bug.message = failure.message;
  bug.address = failure.address;
  bug.size = static_cast<std::uint32_t>(failure.size);
  bug.first = number;
  for (const Failure::Side& side : failure.sides) {
    std::vector<trace::CodeAddress> stack = runtime::Stacks::get(side.stack);
    if (stack.empty() && side.site != 0) stack.push_back(side.site);
    bug.parties.push_back({side.thread, side.what, side.address, -1, std::move(stack), side.file, side.line});
  }
  bug.output = Output::text();
  add_object(bug.trace, failure.address, failure.sides.empty() ? 0 : failure.sides[0].stack);
  result_.bugs.push_back(std::move(bug));
}

void Tester::judge_waiting(std::uint64_t number, Testing::Ending ending) {
  Failure failure;
  failure.kind = ending == Testing::Ending::kDeadlock ? trace::BugKind::kDeadlock : trace::BugKind::kNoProgress;
  for (int t = 0; t < program_.thread_count(); ++t) {
    const runtime::Thread& thread = program_.thread(t);
    if (thread.state != runtime::Thread::State::kRunning) continue;
    const std::string what = describe_wait(program_, t, thread.operation);
    failure.sides.push_back({t, what, address_of(program_, thread.operation), 0, static_cast<std::uint32_t>(thread.site)});
  }
  // Threads in a loop stand anywhere in it: the bug is that they wait.
  if (ending == Testing::Ending::kNoProgress)
    for (Failure::Side& side : failure.sides)
      if (side.what.empty()) side.what = "goes round a loop, in which nothing changes", side.site = 0;
  if (!is_new(failure, number)) return;
  if (ending == Testing::Ending::kNoProgress) Testing::set_most_in_vain(Testing::kMostInVain / 50);  // it is known now
  for (Failure::Side& side : failure.sides) side.stack = Testing::stack_of(program_, side.thread);
  add_bug(failure, number);
}

void Tester::judge_races(std::uint64_t number) {
  std::vector<Testing::Race> races = Testing::races();
  for (Testing::Race& race : races) {
    Failure failure;
    failure.kind = trace::BugKind::kDataRace;
    failure.address = race.address;
    failure.size = race.size;
    failure.sides.push_back({race.access.thread, describe(race.access, race.size), race.address, race.stack, race.access.site});
    failure.sides.push_back({race.other.thread, describe(race.other, race.size), race.address, 0, race.other.site});
    if (!is_new(failure, number)) continue;
    find_other_stack(race, number);
    failure.sides[1].stack = race.other_stack;
    add_bug(failure, number);
  }
}

/// Runs the execution again: this time the stack of the earlier access is looked at.
void Tester::find_other_stack(Testing::Race& race, std::uint64_t number) {
  Testing::watch(race.other, race.address, race.size);
  Testing::run(program_, *strategy_, {options_.seed, number, options_.max_events});
  race.other_stack = Testing::watched_stack();
  race.other.site = Testing::watched_site();
  Testing::stop_watching();
}

}  // namespace ordeal::agent
