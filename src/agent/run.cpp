#include "agent/run.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <utility>

#include "agent/answer.h"
#include "agent/difference.h"
#include "agent/explain.h"
#include "agent/judge.h"
#include "agent/limits.h"
#include "agent/native_trace.h"
#include "agent/output.h"
#include "agent/rounds.h"
#include "agent/symmetry.h"
#include "agent/tester.h"
#include "engine/not_deterministic.h"
#include "engine/session.h"
#include "explore/exhaustive.h"
#include "explore/load_buffering.h"
#include "explore/once.h"
#include "explore/passes.h"
#include "explore/random_walks.h"
#include "explore/replay.h"
#include "runtime/annotations.h"
#include "runtime/bounds.h"
#include "runtime/debugger.h"
#include "runtime/hidden_code.h"
#include "runtime/native_program.h"
#include "runtime/open_files.h"
#include "runtime/program_image.h"
#include "runtime/loops/rules.h"
#include "runtime/stand_ins.h"
#include "runtime/sync.h"
#include "runtime/watchdog.h"
#include "trace/run_result_format.h"

namespace ordeal::agent {
namespace {

constexpr double kDefaultWatchdog = 10;  // seconds

void judge_whole(const Options& options, const engine::Counts& counts, const runtime::NativeProgram& program, bool is_impatient, trace::RunResult& result) {
  result.executions = counts.complete;
  result.blocked = counts.blocked;
  result.given_up = counts.given_up;
  for (trace::Bug& bug : result.bugs) bug.count = std::max<std::uint64_t>(bug.count, 1);  // one that only a round showed which was given up
  if (options.mode == Mode::kCheck) result.kept_turns = program.kept_turns().all();
  if (!program.refused().empty()) {
    result.cannot_check = program.refused();
    result.where = runtime::Stacks::get(program.refused_stack());
    result.parties = program.refused_parties();
  }
  if (const trace::Party* party = program.cut_party(); party != nullptr) {
    std::string bound = "--max-events ";
    bound += std::to_string(options.max_events != 0 ? options.max_events : kDefaultMaxEvents);
    if (options.max_events == 0) bound += " (the default)";
    result.bounds.push_back(is_impatient ? "the first execution, which did not end in 3 s" : bound);
    result.parties.push_back(*party);
  }
  if (options.require_sc && result.sc && result.sc->undecided > 0)
    result.bounds.push_back("the search for interleavings, of " + std::to_string(result.sc->undecided) + " executions (--require-sc)");
  for (std::string& bound : runtime::Bounds::reached()) result.bounds.push_back(std::move(bound));
  if (counts.bound_was_hit && result.bounds.empty()) result.bounds.push_back("a bound");
  for (std::string& note : runtime::Annotations::notes()) result.notes.push_back(std::move(note));
  for (std::string& note : runtime::HiddenCode::notes()) result.notes.push_back(std::move(note));
  for (std::string& note : runtime::StandIns::notes()) result.notes.push_back(std::move(note));
  if (result.cannot_check.empty() && runtime::OpenFiles::came_unseen())
    result.cannot_check = "the program opens files by system calls of its own, which are not seen in time (use libc's open)";
  if (!result.cannot_check.empty()) result.verdict = trace::Verdict::kCannotCheck;
  else if (!result.bugs.empty()) result.verdict = trace::Verdict::kBug;
  else if (!result.bounds.empty()) result.verdict = trace::Verdict::kBounded;
  else result.verdict = trace::Verdict::kVerified;
}

trace::RunResult new_result(const Options& options) {
  trace::RunResult result;
  result.model = model::name_of(options.model);
  result.options = options.given;
  result.modules = modules();
  return result;
}

/// Runs the program's executions as the decider decides, and judges them.
class Search {
 public:
  Search(const Options& options, trace::RunResult& result)
      : options_(options), result_(result), program_(&runtime::run_program, nullptr), judge_(program_, options, result, passes_),
        symmetry_(program_), limits_{options, result, program_, passes_}, consistency_(options.model), buffering_(program_, consistency_) {
    runtime::Debugger::is_on = options.debug;
    runtime::explore_spurious = options.spurious;
    runtime::reduces_loops = options.reduction;
    program_.own_flags().set_replaying(options.mode == Mode::kReplay);
    runtime::takes_over = !options.load_buffering;  // their proof needs that no event depends on itself
    runtime::failing_is_barrier = options.model == model::Model::kTso;
    if (options.max_events != 0 || is_once()) program_.set_max_operations(options.max_events);
    else program_.set_max_operations(1, [](void* data, std::uint64_t& most) { return static_cast<Limits*>(data)->has_more_operations(most); }, &limits_);
    program_.set_yielding(is_once());
    if (!is_once()) runtime::Bounds::set(options.loop_bound, options.reread_bound, options.fair);
    limits_.rounds = &rounds_;
    if (const std::string why = options.observer.empty() ? "" : judge_.observer().load(options.observer); !why.empty())
      result.cannot_check = "the observer '" + options.observer + "' cannot be used: " + why;
    buffering_.set_spurious_failures(options.spurious);
    buffering_.add(judge_);
    judge_.when_found(limits_.smaller, [](void* data, const model::ExecutionGraph& graph) { return static_cast<Search*>(data)->look_for_smaller(graph); }, this);
    buffering_.stop_when([](void* data) { return static_cast<Limits*>(data)->reached(); }, &limits_);
  }

  int run(engine::Decider& decider) {
    if (!result_.cannot_check.empty()) return give_up();
    begin();
    explore(decider);
    return end();
  }

  /// All executions, in rounds (waiting_places.h) and up to two passes (passes.h).
  void run_all() {
    if (!result_.cannot_check.empty()) return void(give_up());
    set_up();
    const bool learns = program_.waiting_places().is_on();
    begin();
    for (;;) {
      explore::Exhaustive decider(options_.model);
      prepare(decider);
      decider.postpone_spurious_failures(passes_.is_first());
      if (program_.symmetry().is_on()) decider.set_symmetry(&program_.symmetry());
      decider.set_seen_writes(program_.stopped_turns().seen_writes());
      limits_.exhaustive = &decider;
      if (learns) decider.consistency().set_useless_values(&program_.waiting_places().values());
      limits_.begins_anew = false;
      explore(decider);
      if (limits_.is_asymmetric() && result_.cannot_check.empty() && !runtime::Watchdog::is_over()) {
        give_up_symmetry();
        continue;
      }
      const bool is_over = is_cut_ || (!result_.bugs.empty() && !options_.keep_going) || !result_.cannot_check.empty() || !result_.bounds.empty();
      if (!limits_.begins_anew && (is_over || !(program_.must_begin_anew() || (result_.bugs.empty() && program_.own_flags().are_found())))) {
        if (is_over || !decider.has_postponed()) break;
        begin_second_pass();
      }
      program_.begin_round();
      if (program_.stopped_turns().wants_to_look_on()) look_around();
    }
    limits_.exhaustive = nullptr;
    limits_.contested = nullptr;
    const bool is_endless = (program_.cut_party() != nullptr || is_too_long_) && result_.bounds.size() == (is_too_long_ ? 1 : 0);
    end_passes();
    if (is_endless && options_.max_events == 0 && result_.bugs.empty() && !runtime::Bounds::any()) look_further();
    if (limits_.smaller.is_on()) return end_with_smallest();
    tell_symmetry();
    end();
    add_advice(counts_, result_);
  }

 private:
  void set_up() {
    program_.waiting_places().set_on(options_.reduction && !options_.load_buffering && !runtime::Bounds::any());
    program_.symmetry().set_on(options_.symmetry && !options_.load_buffering);
    program_.vain_turns().set_on(options_.reduction);
    program_.given_back().set_on(options_.reduction && !options_.load_buffering && !options_.symmetry && !options_.sc_analysis && !options_.require_sc);
    if (options_.eager) program_.stopped_turns().set_eager();
    program_.stopped_turns().set_on(options_.reduction && !options_.load_buffering && !options_.symmetry && !runtime::Bounds::any());
    if (!options_.load_buffering && !options_.symmetry) limits_.contested = &contested_;
    begin_first_pass();
  }
  /// Something is wrong before the search has begun.
  int give_up() {
    result_.verdict = trace::Verdict::kCannotCheck;
    return 4;
  }
  /// Of a bug that was just found. Then the result is complete, but for that execution.
  bool look_for_smaller(const model::ExecutionGraph& graph) {
    const engine::Counts counts = passes_.is_second() ? passes_.seen() : all_counts(*limits_.counts);
    const std::uint64_t executions = counts.complete + counts.blocked;
    const bool is_wanted = options_.mode == Mode::kCheck && !options_.first_bug && !options_.symmetry && !options_.show && options_.executions == 0;
    if (!is_wanted || runtime::Watchdog::is_over()) return false;
    at_bug_ = result_;
    at_bug_.seconds = now() - limits_.started;
    judge_whole(options_, counts, program_, limits_.is_impatient, at_bug_);
    add_advice(counts, at_bug_);
    hand_over(options_, at_bug_);
    limits_.smaller.begin(graph, executions, now());
    return true;
  }
  void end_with_smallest() {
    runtime::Watchdog::stop();
    if (options_.progress) Output::tell("\r\033[K");
    trace::Bug bug = std::move(result_.bugs.front());
    result_ = std::move(at_bug_);
    result_.bugs.front() = std::move(bug);
  }
  void add_advice(const engine::Counts& counts, trace::RunResult& result) const {
    constexpr std::uint64_t kMany = 1000;
    const bool is_much = counts.complete + counts.blocked >= kMany || result.seconds >= Limits::kLong || !result.bounds.empty();
    if (is_much && !rounds_.advice().empty()) result.notes.push_back(rounds_.advice());
  }
  /// With those of load buffering; executions in which detached threads wait in the end are complete.
  engine::Counts all_counts(engine::Counts counts) const {
    counts.complete += judge_.ended_waiting() + buffering_.counts().complete;
    counts.blocked -= judge_.ended_waiting();
    counts.blocked += buffering_.counts().blocked;
    return counts;
  }
  /// The program hardly ends. A bug may come long before: executions are looked at in which a thread comes to each place in the code
  /// at most a few times.
  void look_further() {
    constexpr double kSeconds = 10;
    if (!seen_) result_.spurious.reset();  // these come in another order
    limits_.deadline = now() + kSeconds;
    runtime::Watchdog::take_up();
    program_.waiting_places().set_on(false);
    program_.symmetry().set_on(false);
    is_cut_ = false;
    for (std::uint64_t most = 2; most <= 16 && !is_cut_ && result_.bugs.empty() && result_.cannot_check.empty(); most *= 2) {
      runtime::Bounds::set(most, 0, false);
      do {
        program_.begin_round();
        limits_.begins_anew = false;
        explore::Exhaustive decider(options_.model);
        prepare(decider);
        explore(decider);
      } while (limits_.begins_anew || (!is_cut_ && program_.must_begin_anew()));
    }
  }
  /// Some executions at random, so that what they show is known before the search relies on it (stopped_turns.h): the more the longer the last round was.
  void look_around() {
    constexpr std::uint64_t kLeast = 256, kMost = 1 << 15;
    const std::uint64_t executions = (counts_.complete + counts_.blocked + counts_.given_up) / 4;
    const std::uint64_t least = options_.eager ? 4 : kLeast;
    explore::RandomWalks walks(options_.model, std::clamp(executions, least, kMost), ++looks_);
    prepare(walks.search());
    walks.search().postpone_spurious_failures(passes_.is_first());
    walks.search().consistency().set_useless_values(&program_.waiting_places().values());
    walks.search().set_seen_writes(program_.stopped_turns().seen_writes());
    engine::Session session(program_, walks);
    session.shuffle(looks_);
    session.stop_at_once_when(runtime::Watchdog::over_flag());
    program_.stopped_turns().set_looking_on(true);
    try {
      session.run();
    } catch (const engine::NotDeterministic&) {  // the search will see it, too
    } catch (const std::length_error&) {
    }
    program_.stopped_turns().set_looking_on(false);
  }
  void begin_first_pass() {
    if (options_.spurious) passes_.begin_first();
  }
  /// What was learnt in the first holds in the second, or is refuted there: then that starts again.
  void begin_second_pass() {
    passes_.begin_second(all_counts(counts_));
    judge_.begin_second_pass();
    is_first_bounded_ = counts_.bound_was_hit || !runtime::Bounds::reached().empty();
  }
  /// What a search that was cut has seen, and in which order.
  void end_passes() {
    const bool is_told = passes_.is_cut() && (result_.bugs.empty() || options_.keep_going) && result_.cannot_check.empty();
    if (is_told) result_.spurious = trace::SpuriousCounts{passes_.with().complete, passes_.with().blocked, passes_.is_second() && !is_first_bounded_};
    if (passes_.is_second() && passes_.is_cut()) seen_ = passes_.seen();
    passes_ = explore::Passes();
  }
  /// All begins anew.
  void give_up_symmetry() {
    program_.symmetry().set_on(false);
    judge_.forget();
    begin_first_pass();
    result_.bounds.clear();
    program_.waiting_places().begin_round();
    program_.kept_turns().begin_round();
  }
  void tell_symmetry() {
    if (!options_.symmetry) return;
    const runtime::Symmetry& symmetry = program_.symmetry();
    if (options_.load_buffering) result_.notes.emplace_back("no use of symmetry: load buffering is explored");
    else if (!symmetry.is_on()) result_.notes.push_back("no use of symmetry: " + symmetry.broken());
    else if (symmetry.most_threads() == 0) result_.notes.push_back("no two threads are symmetric");
    else result_.symmetric = static_cast<std::uint32_t>(symmetry.most_threads());
  }
  void prepare(explore::Exhaustive& decider) const {
    decider.set_spurious_failures(options_.spurious);
    decider.stop_at_once_when(runtime::Watchdog::over_flag());
  }
  bool is_once() const { return options_.mode == Mode::kOnce; }  // then it runs as always
  void begin() {
    runtime::Watchdog::start(options_.watchdog >= 0 ? options_.watchdog : is_once() ? 0 : kDefaultWatchdog, options_.time, !is_once());
  }

  void explore(engine::Decider& decider) {
    engine::Session session(program_, decider);
    session.add(judge_);
    session.add(rounds_);
    if (limits_.contested != nullptr) {
      session.add(contested_);
      session.postpone(contested_);
      constexpr int kFewThreads = 5;  // with these, rounds come everywhere soon
      session.rotate(limits_.learning_rounds, kFewThreads);  // another round comes first to other places
    }
    if (program_.symmetry().is_on()) session.add(symmetry_);
    limits_.counts = &session.counts();
    session.stop_when([](void* data) { return static_cast<Limits*>(data)->reached(); }, &limits_);
    session.stop_at_once_when(runtime::Watchdog::over_flag());
    session.set_repeating(options_.mode == Mode::kCheck);
    judge_.begin_round();
    try {
      is_cut_ = session.run().stopped;
      const bool has_postponed = limits_.exhaustive != nullptr && limits_.exhaustive->has_postponed();
      passes_.end_round(!is_cut_, has_postponed);
      if (options_.load_buffering && !has_postponed && options_.mode == Mode::kCheck && !is_cut_ && !limits_.smaller.is_on()) is_cut_ = buffering_.run().stopped;
    } catch (const engine::NotDeterministic& difference) {
      is_cut_ = runtime::Watchdog::is_over();  // a thread that was stopped differs too
      // So does one that has come to a race which another came to before.
      const bool is_race = !result_.bugs.empty() && program_.failure() != nullptr && program_.failure()->kind == trace::BugKind::kDataRace;
      if (is_race && !std::exchange(is_cut_, true)) result_.bounds.emplace_back("a data race, behind which an execution could not be run again");
      if (!is_cut_) tell_difference(difference, program_, result_);
    } catch (const std::length_error& error) {
      if (!std::exchange(is_too_long_, true)) result_.bounds.emplace_back(error.what());
    }
    counts_ = session.counts();
    limits_.counts = &counts_;
  }

  int end() {
    counts_ = seen_ ? *seen_ : all_counts(counts_);
    runtime::Watchdog::stop();
    if (is_cut_ && result_.bounds.empty() && result_.bugs.empty() && runtime::Watchdog::is_over()) limits_.cut_by_watchdog();
    result_.seconds = now() - limits_.started - judge_.seconds_showing();
    if (options_.progress) Output::tell("\r\033[K");
    judge_whole(options_, counts_, program_, limits_.is_impatient, result_);
    if (std::string note = judge_.observer().note(); !note.empty()) result_.notes.push_back("observer '" + std::string(judge_.observer().name()) + "': " + note);
    return program_.exit_code();
  }

  const Options& options_;
  trace::RunResult& result_;
  runtime::NativeProgram program_;
  explore::Passes passes_;
  Judge judge_;
  Rounds rounds_;
  engine::Contested contested_;
  SymmetryWatch symmetry_;
  Limits limits_;
  model::Consistency consistency_;
  explore::LoadBuffering buffering_;
  engine::Counts counts_;
  std::uint64_t looks_ = 0;  // at executions at random
  std::optional<engine::Counts> seen_;  // by both passes, if the second was cut
  bool is_cut_ = false, is_too_long_ = false, is_first_bounded_ = false;
  trace::RunResult at_bug_;  // while a smaller execution is looked for
};

int check(const Options& options) {
  trace::RunResult result = new_result(options);
  Search(options, result).run_all();
  return answer(options, result);
}

int test(const Options& options) {
  trace::RunResult result = new_result(options);
  Tester(options, result).run();
  return answer(options, result);
}

std::string read_all(int file) {
  std::string text;
  char buffer[65536];
  for (ssize_t got = 0; (got = pread(file, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

/// The program was started by itself: it runs as always, and a bug is told on stderr.
int once(const Options& options) {
  trace::RunResult result = new_result(options);
  explore::Once decider(options.model);
  const int code = Search(options, result).run(decider);
  std::fflush(nullptr);
  if (result.cannot_check.empty() && result.bugs.empty()) return code;
  if (!result.bugs.empty() && !explain(result)) tell_bugs(result);
  if (!result.bugs.empty()) Output::tell(std::string("ordeal: this was one execution; to explore them all: ordeal check ") + program_invocation_name + "\n");
  if (!result.cannot_check.empty()) Output::tell("ordeal: cannot check: " + result.cannot_check + "\n");
  return result.bugs.empty() ? code : kBugExitCode;
}

/// One recorded execution again. A program that has changed is told so, not misunderstood.
int replay(const Options& options) {
  trace::RunResult result = new_result(options);
  try {
    const trace::RunResult recorded = trace::read_run_result(read_all(options.replay_fd));
    if (!recorded.modules.empty() && recorded.modules.front().build_id != result.modules.front().build_id)
      throw std::runtime_error("the program has changed since the replay file was written");
    // What a thread ran into, another may find first, or later: behind the list, threads come to their next operation.
    const trace::BugKind kind = recorded.bugs.at(0).kind;
    const bool is_of_waiting = kind == trace::BugKind::kDeadlock || kind == trace::BugKind::kNoProgress;
    explore::Replay decider(options.model, trace::unit_of_work(recorded.bugs.at(0).trace), is_of_waiting ? explore::Replay::Rest::kNone : explore::Replay::Rest::kBug);
    decider.let_numbers_of_locations_differ();
    Search(options, result).run(decider);
  } catch (const std::exception& error) {
    result.verdict = trace::Verdict::kCannotCheck;
    result.cannot_check = std::string("this execution cannot be replayed: ") + error.what();
  }
  return answer(options, result);
}

}  // namespace

int run(const Options& options) {
  switch (options.mode) {
    case Mode::kCheck: return check(options);
    case Mode::kReplay: return replay(options);
    case Mode::kOnce: return once(options);
    case Mode::kTest: return test(options);
    case Mode::kServe: break;  // before
  }
  return 2;
}

}  // namespace ordeal::agent
