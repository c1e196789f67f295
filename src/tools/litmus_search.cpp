#include "tools/litmus_search.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

#include "engine/session.h"
#include "explore/exhaustive.h"
#include "explore/load_buffering.h"
#include "report/litmus_report.h"

namespace ordeal::tools {
namespace {

std::atomic<bool> interrupted{false};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Counts executions; asked before each further one: limits, the interrupt, and progress on a terminal.
class Budget final : public engine::Observer {
 public:
  Budget(const LitmusOptions& options, const std::string& name) : options_(options), name_(name) {}

  bool finished(const engine::Execution&) override {
    ++executions_;
    return true;
  }
  bool is_used_up() {
    if (options_.execution_limit > 0 && executions_ >= options_.execution_limit)
      return stop(fmt::format("stopped after {} (--executions)", report::plural(options_.execution_limit, "execution class")));
    if (interrupted.load(std::memory_order_relaxed)) return stop("interrupted");
    if (++asked_ < next_look_) return false;
    const double now = seconds_since(start_);
    // The next look at the clock is in about 10 ms, however long an execution takes; the first ones tell how long that is.
    const auto asked = static_cast<double>(asked_);
    next_look_ = asked_ + 1 + static_cast<std::uint64_t>(std::min({asked / 2, 0.01 * asked / now, 4096.0}));
    if (options_.time_limit > 0 && now >= options_.time_limit)
      return stop(fmt::format("stopped after {} s (--time)", options_.time_limit));
    show_progress(now);
    return false;
  }
  ~Budget() override {
    if (shown_ > 0) fmt::print(stderr, "\r\033[K");
  }
  std::vector<std::string> limits;

 private:
  bool stop(std::string why) {
    limits.push_back(std::move(why));
    return true;
  }
  void show_progress(double now) {
    if (!is_terminal_ || now < shown_ + 0.5) return;
    shown_ = now;
    fmt::print(stderr, "\r\033[K{}: {} executions, {} a second", name_, report::grouped(executions_),
               report::grouped(static_cast<std::uint64_t>(static_cast<double>(executions_) / now)));
    std::fflush(stderr);
  }

  const LitmusOptions& options_;
  const std::string& name_;
  Clock::time_point start_ = Clock::now();
  std::uint64_t executions_ = 0, asked_ = 0, next_look_ = 0;
  double shown_ = 0;
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
};

/// Whether some thread ever writes after it has read. If none does, no cycle in po ∪ rf is possible: the first promise is
/// made by a thread that, run alone in an ordinary execution, reads and then writes.
class WritesAfterReading final : public engine::Observer {
 public:
  bool finished(const engine::Execution& execution) override {
    for (int i = 0; !seen && i < execution.graph.size(); ++i) {
      const model::Event& event = execution.graph.event(model::Slot{i});
      if (event.kind != model::EventKind::kWrite) continue;
      for (model::Slot at = event.previous; at != model::kNone; at = execution.graph.event(at).previous)
        seen |= execution.graph.event(at).kind == model::EventKind::kRead;
    }
    return true;
  }
  bool seen = false;
};

/// Looks at what an execution has added to the outcomes.
class Firsts final : public engine::Observer {
 public:
  Firsts(const litmus::Outcomes& outcomes, LitmusWitness& witness) : outcomes_(outcomes), witness_(witness) {}
  bool finished(const engine::Execution& execution) override {
    if (outcomes_.is_racy() && !std::exchange(was_racy_, true)) witness_.racy(execution);
    if (outcomes_.is_unexpected() && !std::exchange(was_unexpected_, true)) witness_.unexpected(execution);
    return true;
  }

 private:
  const litmus::Outcomes& outcomes_;
  LitmusWitness& witness_;
  bool was_racy_ = false, was_unexpected_ = false;
};

}  // namespace

void interrupt_search() { interrupted = true; }

LitmusResult search(const litmus::Test& test, const LitmusOptions& options, engine::Observer* observer, LitmusWitness* witness) {
  const auto start = Clock::now();
  Budget budget(options, test.name);
  litmus::Interpreter interpreter(test, options.loop_bound);
  interpreter.set_checkpoints(options.checkpoints);
  explore::Exhaustive exhaustive(options.model);
  exhaustive.set_spurious_failures(options.spurious_failures);
  litmus::Outcomes outcomes(test, interpreter, exhaustive.consistency());
  engine::Session session(interpreter, exhaustive);
  if (options.contested != nullptr) session.postpone(*options.contested);
  session.add(outcomes);
  std::optional<Firsts> firsts;
  if (witness != nullptr) session.add(firsts.emplace(outcomes, *witness));
  session.add(budget);
  WritesAfterReading writes_after_reading;
  if (options.load_buffering) session.add(writes_after_reading);
  if (observer != nullptr) session.add(*observer);
  session.stop_when([](void* data) { return static_cast<Budget*>(data)->is_used_up(); }, &budget);
  engine::Counts counts = session.run();
  if (options.load_buffering && writes_after_reading.seen && !counts.stopped) {
    explore::LoadBuffering load_buffering(interpreter, exhaustive.consistency());
    load_buffering.set_spurious_failures(options.spurious_failures);
    load_buffering.add(outcomes);
    if (firsts) load_buffering.add(*firsts);
    load_buffering.add(budget);
    if (observer != nullptr) load_buffering.add(*observer);
    load_buffering.stop_when([](void* data) { return static_cast<Budget*>(data)->is_used_up(); }, &budget);
    const engine::Counts& cyclic = load_buffering.run();
    counts.complete += cyclic.complete;
    counts.blocked += cyclic.blocked;
    counts.bound_was_hit |= cyclic.bound_was_hit;
  }

  LitmusResult result;
  result.states.insert(outcomes.states().begin(), outcomes.states().end());
  result.executions = counts.complete;
  result.blocked = counts.blocked;
  result.given_up = counts.given_up;
  result.bound_was_hit = counts.bound_was_hit;
  result.limits = std::move(budget.limits);
  result.is_racy = outcomes.is_racy();
  result.race = outcomes.race();
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace ordeal::tools
