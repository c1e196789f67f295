// When a search is over: what users have set, what takes too long, and what makes it begin anew.
#pragma once

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "agent/options.h"
#include "agent/output.h"
#include "agent/rounds.h"
#include "agent/smaller.h"
#include "engine/session.h"
#include "explore/exhaustive.h"
#include "explore/passes.h"
#include "runtime/native_program.h"
#include "runtime/watchdog.h"
#include "trace/run_result.h"

namespace ordeal::agent {

inline double now() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);  // the program's clocks are virtual
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Operations of one thread in one execution. It keeps endless programs from using up the memory.
constexpr std::uint64_t kDefaultMaxEvents = 20'000;

/// Asked before each execution.
struct Limits {
  const Options& options;
  trace::RunResult& result;
  runtime::NativeProgram& program;
  const explore::Passes& passes;
  const engine::Counts* counts = nullptr;  // of the round under way
  double started = now();
  std::uint64_t started_executions = 0;
  double last_progress = started;
  bool begins_anew = false;
  const explore::Exhaustive* exhaustive = nullptr;
  const Rounds* rounds = nullptr;
  engine::Contested* contested = nullptr;
  int learning_rounds = 0;  // before this one
  bool told_rounds = false;
  double deadline = 0;  // of a search of our own choice (`look_further`); 0: none
  Smaller smaller{};

  /// Threads were taken for symmetric, and are not.
  bool is_asymmetric() {
    runtime::Symmetry& symmetry = program.symmetry();
    if (!symmetry.is_on()) return false;
    if (exhaustive != nullptr && exhaustive->is_asymmetric()) symmetry.give_up("threads do different things, having seen the same");
    return !symmetry.broken().empty();
  }

  /// Different ones.
  std::uint64_t executions() const {
    const engine::Counts& seen = passes.is_second() ? passes.seen() : *counts;
    return seen.complete + seen.blocked;
  }

  bool reached() {
    if (smaller.is_on()) return runtime::Watchdog::is_over() || program.must_begin_anew() || smaller.is_over(now());
    if (is_asymmetric()) return begins_anew = true;
    if ((started_executions & 63) == 0) Output::clear();  // what is shown is collected when a bug is recorded: this keeps it small
    if (options.executions > 0 && executions() >= options.executions) return cut("--executions " + std::to_string(options.executions));
    ++started_executions;
    if (runtime::Watchdog::is_over()) return cut_by_watchdog();
    const std::uint64_t so_far = counts->complete + counts->blocked + counts->given_up;
    const bool would_be_faster = result.bugs.empty() && (program.stopped_turns().wants_new_round(so_far) || program.waiting_places().wants_new_round(so_far));
    if (contested != nullptr && result.bugs.empty() && contested->is_worth_a_new_round()) {
      contested->use();
      return begins_anew = true;
    }
    learning_rounds += would_be_faster ? 1 : 0;
    const bool has_flags = result.bugs.empty() && program.own_flags().are_found();
    if (would_be_faster || has_flags || program.must_begin_anew()) return begins_anew = true;
    if ((!options.progress && deadline == 0) || (started_executions & 255) != 0) return false;
    const double time = now();
    if (options.progress && time - last_progress >= 1) show_progress(time);
    return deadline != 0 && time > deadline;
  }
  /// A thread has made many operations. The first execution may take some seconds, others end like it. At the default the search is given
  /// up at once: whatever else happens in so long an execution takes its time. Shorter ones are looked at then (`look_further`).
  bool has_more_operations(std::uint64_t& most) {
    constexpr std::uint64_t kStep = 256;
    constexpr double kPatience = 3;  // seconds
    is_impatient = executions() == 0 && now() - started > kPatience;
    if (most >= kDefaultMaxEvents || is_impatient) {
      if (deadline == 0) runtime::Watchdog::give_up();
      return false;
    }
    most = std::min(most + kStep, kDefaultMaxEvents);
    return true;
  }
  bool is_impatient = false;
  bool cut_by_watchdog() { return cut(runtime::Watchdog::over() == runtime::Watchdog::Over::kTime ? "--time" : "interrupted"); }
  bool cut(std::string why) {
    result.bounds.push_back(std::move(why));
    return true;
  }
  std::string what_was_seen() const {
    const auto text = [](const engine::Counts& seen) { return std::to_string(seen.complete + seen.blocked); };
    return passes.is_second() ? "all " + text(passes.without()) + " executions without spurious failures and " + text(passes.with()) + " with" : text(*counts) + " executions";
  }
  static constexpr double kLong = 3;  // seconds
  void show_progress(double time) {
    last_progress = time;
    if (!told_rounds && time - started >= kLong) {
      told_rounds = true;
      if (!rounds->advice().empty()) Output::tell("\r\033[Kordeal: " + rounds->advice() + ".\n");
    }
    const auto rate = static_cast<std::uint64_t>(static_cast<double>(counts->complete + counts->blocked) / (time - started));
    Output::tell("\r" + what_was_seen() + ", " + std::to_string(rate) + " a second, " +
                 std::to_string(static_cast<int>(time - started)) + " s\033[K");
  }
};

}  // namespace ordeal::agent
