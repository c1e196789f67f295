// Random testing of a program: executions with numbers from `first` on, each judged; a bug is told once, with how often it came.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agent/observer_plugin.h"
#include "agent/options.h"
#include "analysis/sc_equivalence.h"
#include "runtime/native_program.h"
#include "runtime/testing.h"
#include "sample/strategy.h"
#include "trace/run_result.h"

namespace ordeal::agent {

class Tester {
 public:
  Tester(const Options& options, trace::RunResult& result);
  void run();

 private:
  bool is_over();
  void run_one(std::uint64_t number);
  void run_next(std::uint64_t number);
  /// With a failure: it has been run before, and this was found wrong with it.
  void run_isolated(std::uint64_t number, const runtime::Failure* failure = nullptr);
  /// A bug whose execution must be run again to be shown, but not in this process.
  struct Again {
    enum class Sort : std::uint8_t { kRace, kFailure, kWaiting, kNotSc, kWeak };  // kWeak: no bug, but the first that is not SC
    Sort sort = Sort::kFailure;
    std::size_t bug = 0;
    runtime::Testing::Race race{};
  };
  void run_isolated(std::uint64_t number, const runtime::Failure* failure, const Again* again);
  void show_again(const Again& again, std::uint64_t number);
  static bool needs_another_process();
  /// Whether there will be another process to run it again in; then what is known now is told first.
  bool is_left_for_later(const Again& again, const runtime::Failure& failure, std::uint64_t number);
  void note_modules();
  std::string tell_all();
  bool take_all(const std::string& told);
  void tell_refused();
  void tell_isolation();
  void note_what_was_seen();
  void start_watchdog();
  static double seconds_now();
  void judge(std::uint64_t number, runtime::Testing::Ending ending);
  void judge_failure(std::uint64_t number);
  void judge_races(std::uint64_t number, std::vector<runtime::Testing::Race> races);
  void judge_waiting(std::uint64_t number, runtime::Testing::Ending ending);
  /// Counts it; true: it is new, or in a shorter execution than before. Then `add_bug` is to be called.
  bool is_new(const runtime::Failure& failure, std::uint64_t number);
  void add_bug(const runtime::Failure& failure, std::uint64_t number);
  /// Runs the execution again, with stacks of what is allocated and of what fails.
  runtime::Testing::Ending record(std::uint64_t number);
  void note_difference();
  std::string describe_waiting(int thread);
  int holder_waited_for(int thread);
  bool waits_in_vain(int thread);
  static bool is_known_who(const runtime::Failure& failure);
  trace::EventName place_of(const runtime::Failure::Side& side);
  trace::EventName last_read(const trace::EventName& place) const;
  /// What a trace has beside its events.
  void complete(trace::Trace& trace);
  void add_objects(trace::Trace& trace);
  // Executions without a bug (tester_watching.cpp).
  void begin_watching();
  void end_watching(runtime::Testing::Ending ending);
  void judge_watched(std::uint64_t number);
  analysis::Sc sc_of(const trace::Trace& trace);
  bool judge_sc(std::uint64_t number);
  void show_weak(std::uint64_t number);
  void report_watched(const runtime::Failure& failure, std::uint64_t number);
  void ask_observer(std::uint64_t number);
  void tell_watching();
  runtime::Failure failure_of(const runtime::Testing::Race& race);
  runtime::Failure waiting(runtime::Testing::Ending ending);
  void show_race(runtime::Testing::Race race, std::uint64_t number);
  void show_failure(const runtime::Failure& failure, std::uint64_t number);
  void show_waiting(runtime::Failure failure, std::uint64_t number);
  void find_stacks(runtime::Testing::Race& race, std::uint64_t number);
  static void set_common(runtime::Testing::Race& race);
  void set_loop(runtime::Failure::Side& side);
  /// Of a site only the low half is kept.
  trace::CodeAddress whole_address(std::uint32_t site) const;
  void tell_end();
  trace::Verdict verdict() const;

  const Options& options_;
  trace::RunResult& result_;
  runtime::NativeProgram program_;
  std::unique_ptr<sample::Strategy> strategy_;
  struct Known {
    trace::BugKind kind;
    std::vector<std::uint32_t> sites;
    std::size_t bug;
    std::uint64_t last;        // execution
    std::uint64_t operations;  // of the execution that is shown
  };
  std::vector<Known> known_;
  std::size_t bug_ = 0;           // the one that is_new was last asked about
  std::uint64_t operations_ = 0;  // of the execution that is judged
  trace::Trace recorded_;  // of the execution that was run again; no events: none, or too many
  bool is_watching_ = false;        // each execution is recorded
  bool is_watched_whole_ = false;   // … and this is all of it:
  trace::Trace watched_;
  bool is_observer_asked_ = false;  // about that
  std::uint64_t too_long_ = 0, unseen_ = 0;  // executions that could not be kept: for --sc-analysis; for the observer
  ObserverPlugin observer_;
  analysis::Operations operations_of_;
  analysis::ScEquivalence sc_equivalence_;
  double started_ = 0, last_progress_ = 0;
  bool window_was_used_ = false, is_different_ = false;
  std::uint64_t cut_ = 0, left_out_ = 0;  // executions: by --max-events; by the program, with ordeal_assume
  double time_limit_ = 0;             // seconds; 0: none
  bool is_isolated_ = false;
  std::string footprint_;             // why each execution has a process of its own
  std::vector<Again> again_;
  std::vector<std::string> seen_notes_;
  int first_file_ = -1;               // the number of the first file that the program opens
  std::uint64_t outside_cuts_ = 0;    // executions that waited for what does not come
};

}  // namespace ordeal::agent
