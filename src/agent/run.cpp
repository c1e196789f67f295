#include "agent/run.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/judge.h"
#include "agent/native_trace.h"
#include "agent/output.h"
#include "engine/session.h"
#include "explore/exhaustive.h"
#include "runtime/fault.h"
#include "runtime/native_program.h"
#include "runtime/program_image.h"
#include "runtime/sync.h"
#include "trace/run_result_format.h"

namespace ordeal::agent {
namespace {

volatile sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

double now() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);  // the program's clocks are virtual
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Asked before each execution.
struct Limits {
  const Options& options;
  trace::RunResult& result;
  double started = now();
  std::uint64_t executions = 0;
  double last_progress = started;

  bool reached() {
    Output::clear();
    if (options.executions > 0 && executions >= options.executions) return cut("--executions " + std::to_string(options.executions));
    ++executions;
    if (interrupted != 0) return cut("interrupted");
    if ((executions & 255) != 0) return false;
    const double time = now();
    if (options.time > 0 && time - started >= options.time) return cut("--time");
    if (options.progress && time - last_progress >= 1) show_progress(time);
    return false;
  }
  bool cut(std::string why) {
    result.bounds.push_back(std::move(why));
    return true;
  }
  void show_progress(double time) {
    last_progress = time;
    const auto rate = static_cast<std::uint64_t>(static_cast<double>(executions) / (time - started));
    Output::tell("\r" + std::to_string(executions) + " executions, " + std::to_string(rate) + " a second, " +
                 std::to_string(static_cast<int>(time - started)) + " s\033[K");
  }
};

void give_result(const Options& options, const trace::RunResult& result) {
  const std::string text = trace::write(result);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(options.result_fd, text.data() + done, text.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

void judge_whole(const engine::Counts& counts, const runtime::NativeProgram& program, trace::RunResult& result) {
  result.executions = counts.complete;
  result.blocked = counts.blocked;
  result.cannot_check = program.refused();
  result.where = runtime::Stacks::get(program.refused_stack());
  if (counts.bound_was_hit && result.bounds.empty()) result.bounds.push_back("a loop bound");
  if (!result.cannot_check.empty()) result.verdict = trace::Verdict::kCannotCheck;
  else if (!result.bugs.empty()) result.verdict = trace::Verdict::kBug;
  else if (!result.bounds.empty()) result.verdict = trace::Verdict::kBounded;
  else result.verdict = trace::Verdict::kVerified;
  if (result.threads == 1) result.notes.push_back("the program has one thread only");
}

int check(const Options& options) {
  trace::RunResult result;
  result.model = model::name_of(options.model);
  result.options = options.given;
  result.modules = modules();
  runtime::explore_spurious = options.spurious;
  runtime::NativeProgram program(&runtime::run_program, nullptr);
  explore::Exhaustive decider(options.model);
  decider.set_spurious_failures(options.spurious);
  engine::Session session(program, decider);
  Judge judge(program, options, result);
  session.add(judge);
  Limits limits{options, result};
  session.stop_when([](void* data) { return static_cast<Limits*>(data)->reached(); }, &limits);
  signal(SIGINT, &interrupt);
  runtime::start_watchdog(options.watchdog);
  const engine::Counts& counts = session.run();
  runtime::stop_watchdog();
  runtime::remove_fault_handlers();
  result.seconds = now() - limits.started;
  if (options.progress) Output::tell("\r\033[K");
  judge_whole(counts, program, result);
  give_result(options, result);
  return 0;
}

}  // namespace

int run(const Options& options) { return check(options); }

}  // namespace ordeal::agent
