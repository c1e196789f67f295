#include "runtime/loops/rules.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "runtime/entry.h"
#include "runtime/loops/code_paths.h"
#include "runtime/loops/configuration.h"
#include "runtime/loops/speculation.h"
#include "runtime/loops/take_over.h"
#include "runtime/native_program.h"
#include "runtime/scrub.h"
#include "runtime/sync.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kLargestStack = std::size_t{1} << 20;  // beyond, configurations are not compared
constexpr int kMostSteps = 24;                               // from then on, fewer and fewer are kept (Brent's cycle detection)
constexpr int kMostBetween = 6;  // operations behind one that is taken over, until the configurations are the same

NativeProgram& program() { return *NativeProgram::instance; }
const Step& step(const LoopTrace& trace, int i) { return trace.steps[static_cast<std::size_t>(i)]; }
Step& changed(LoopTrace& trace, int i) { return changed(trace.steps[static_cast<std::size_t>(i)]); }

Step* here = nullptr;  // where the thread stands now: behind its last step

/// False: its configuration is not known.
bool describe(Thread& thread, const Call& call) {
  const bool is_end = call.kind == Call::Kind::kEnd;
  if (!is_end && !has_stamp(call.site)) return false;
  const std::uintptr_t caller = is_end ? stack_end(thread.id) : ordeal_entry_registers[6] + sizeof(void*);
  const std::size_t size = stack_end(thread.id) - caller;
  if (size > kLargestStack) return false;
  LoopTrace& trace = thread.spin;
  if (trace.steps.size() <= static_cast<std::size_t>(trace.count)) trace.steps.resize(static_cast<std::size_t>(trace.count) + 1);
  here = &changed(trace, trace.count);
  here->call = call;
  if (is_end) std::fill(std::begin(here->registers), std::end(here->registers), 0);
  else std::copy_n(ordeal_entry_registers, kStampedRegisters, here->registers);
  const auto* stack = reinterpret_cast<const unsigned char*>(caller);
  here->stack.assign(stack, size);
  here->is_dead_cleared = false;
  mask_atomics(thread, caller, here->stack);
  here->callers_count = std::min<int>(Step::kMostCallers, static_cast<int>(thread.frames.size()));
  for (int i = 0; i < here->callers_count; ++i) here->callers[i] = thread.frames[thread.frames.size() - 1 - static_cast<std::size_t>(i)].caller;
  here->effects = trace.effects;
  here->shared_accesses = thread.shared_accesses;
  here->alive = ~std::uint32_t{0};
  here->writes = trace.writes.size();
  here->holds = trace.holds;
  here->looks = trace.looks;
  here->locks = trace.locks;
  here->tries = trace.tries;
  here->time = thread.time;
  here->operation = thread.operations;
  here->first_event = thread.hb[thread.id];
  here->repetitions = trace.repetitions;
  here->turns_made = 0;
  here->has_digest = here->has_outcome = here->failed_spuriously = here->could_have_failed = here->has_state = false;
  here->source = -1;
  return true;
}

// --- rule A --------------------------------------------------------------------------------------------------------------------

/// The thread has looked at a clock in its loop: it may also come round only after a long time. Once for the same effects.
bool lets_time_jump(Thread& thread, const Step& then) {
  LoopTrace& trace = thread.spin;
  if (trace.looks == then.looks || trace.effects_at_jump == trace.effects || choose(2, then.call.site, model::ChoiceOf::kTime) == 0) return false;
  trace.effects_at_jump = trace.effects;
  forget_all(trace);
  thread.time += kLongTime;
  return true;
}

/// Whether the thread's turns since its step `first` have to do with objects that are watched (given_back.h): each read of these is made, and tried out. So nothing is learnt.
bool has_watched(const LoopTrace& trace, int first) {
  const GivenBack& given_back = program().given_back();
  if (!given_back.are_there()) return false;
  return std::any_of(trace.steps.begin() + first, trace.steps.begin() + trace.count, [&](const Step& then) { return given_back.is_watched(then.call.address); });
}

/// The thread is at its step `first` again, and what it has done since can be left out.
void stop_waiting(Thread& thread, int first, base::ClockEntry first_event) {
  LoopTrace& trace = thread.spin;
  const Step& then = step(trace, first);
  trace.first_event = first_event;
  program().vain_turns().note(thread, first, first_event);
  program().vain_locks().note_turn(thread, then);
  if (!has_watched(trace, first)) {
    // (The same place and state may be the thread's first turn, which stores it for the first time: nothing is learnt.)
    if (then.repetitions == trace.repetitions) program().waiting_places().note_round(thread, first);
    if (trace.count - first > 2) program().waiting_places().note_last_read(thread, first);  // shorter turns are learnt as such
  }
  program().stopped_turns().note(thread, first, *here);
  program().stop_waiting(here->call.site);
}

/// `last`: its turn ends there.
[[noreturn]] void stop_redundant(Thread& thread, int first, const Step& last) {
  const Step& then = step(thread.spin, first);
  const bool is_all = last.effects == thread.spin.effects;  // what is behind the turn counts as part of it: the same memory may have been accessed there
  program().vain_turns().note(thread, first, then.first_event, is_all ? std::numeric_limits<base::ClockEntry>::max() : last.events);
  program().vain_locks().note_turn(thread, then);
  if (is_all) program().stopped_turns().note(thread, first, *here);
  program().stop(engine::Cut::kRedundant);
}

/// Rule Z: the thread has been in the configuration of its step `first` before, and all effects since are given back.
void rule_z(Thread& thread, int first) {
  if (!reduces_loops || !takes_over || thread.result.next_is_known || !program().explores_all() || has_hidden_code(thread)) return;
  if (program().vain_turns().are_made(thread.id, here->call.site)) return;
  if (program().given_back().may_be_left_out(thread, first, *here)) stop_redundant(thread, first, *here);
}

/// Whether the thread may go on from here, and has another step.
bool rule_a(Thread& thread) {
  LoopTrace& trace = thread.spin;
  const bool has_atomics = program().location_table().has_on_stack(thread.id);
  const std::uintptr_t caller = here->registers[6] + sizeof(void*);
  for (int i = 0; i < trace.count; ++i) {
    const Step& then = step(trace, i);
    if (then.call.site != here->call.site) continue;
    const bool gives_back = then.effects != here->effects;
    if (gives_back && !program().given_back().is_turn(thread, i, trace.count, *here)) continue;
    if (has_atomics && then.stack.size() == here->stack.size()) mask_atomics(thread, caller, changed(trace, i).stack);  // some were not known yet
    if (!is_same_configuration(thread, then, *here)) continue;
    if (gives_back) {
      rule_z(thread, i);
      continue;
    }
    if (lets_time_jump(thread, then)) return false;
    if (!reduces_loops || has_hidden_code(thread)) continue;
    if (program().vain_turns().are_made(thread.id, here->call.site, then.turns_made)) {
      here->turns_made = then.turns_made + 1;
      here->tries = trace.tries = then.tries;
      forget_all(trace);  // what it wrote is as it was
      here->writes = 0;
      return true;
    }
    const base::ClockEntry first_event = std::exchange(changed(trace, i).first_event, thread.hb[thread.id]);
    if (thread.result.next_is_known) continue;  // run again, and it was not stopped here
    stop_waiting(thread, i, first_event);
    return false;
  }
  return true;
}

// --- rules B and N ---------------------------------------------------------------------------------------------------------------

/// Whether `next`, or the same read-modify-write elsewhere in the code, may be the operation after `call`.
bool may_come_to(const Call& call, const Call& next) { return next.kind == Call::Kind::kRmw || CodePaths::may_lead_to(call.site, next.site); }

/// For the step `c`, behind which all operations are the thread's last ones. Those earlier ones that led elsewhere are not asked about again.
void rule_b(Thread& thread, int c) {
  LoopTrace& trace = thread.spin;
  Step& later = changed(trace, c);  // `alive`
  const std::span<const Step> between(trace.steps.data() + c + 1, static_cast<std::size_t>(trace.count - c - 1));
  const auto is_of_own_flag = [&](const Step& one) { return program().own_flags().has(thread, one.call); };
  if (is_of_own_flag(later) || std::any_of(between.begin(), between.end(), is_of_own_flag)) return;
  for (int r = c - 1; r >= 0; --r) {
    const Step& earlier = step(trace, r);
    const bool gives_back = earlier.effects != later.effects;
    if (gives_back && !program().given_back().are_there()) break;
    if (gives_back && !program().given_back().is_turn(thread, r, c, later)) continue;
    std::uint32_t& alive = later.alive;
    if ((alive >> (c - 1 - r) & 1) == 0) continue;
    alive &= ~(std::uint32_t{1} << (c - 1 - r));
    const Call& next = between.empty() ? here->call : between.front().call;
    if (earlier.time != here->time || !may_take_place(earlier, later, later.outcome, gives_back) || !may_come_to(earlier.call, next) || !may_be_asked(thread, earlier)) continue;
    const Outcome outcome = is_same_operation(earlier.call, later.call) ? later.outcome : outcome_with(earlier.call, later.outcome.value);
    if (!Speculation::run(thread, earlier, outcome, between) || !Speculation::came_to_call(*here)) continue;
    // Once the thread has had an effect, accesses in its turn can no longer be told from those behind it, which others may well be in conflict with.
    const bool may_stop = later.effects == here->effects || later.shared_accesses == earlier.shared_accesses;
    if (may_stop && Speculation::came_to(thread, *here)) {
      if (gives_back && (has_hidden_code(thread) || !program().given_back().may_be_left_out(thread, r, later))) continue;
      if (between.empty() && !has_watched(trace, r)) program().waiting_places().note_last_read(thread, r);
      stop_redundant(thread, r, later);
    }
    alive |= std::uint32_t{1} << (c - 1 - r);
  }
}

/// Rule N for the last two steps, if they are two turns of a loop. (Its proof does not need that they stand at the same place in the code. But loads one after the other
/// whose values nobody uses are no loop, and people count their classes.)
void rule_n(Thread& thread) {
  LoopTrace& trace = thread.spin;
  if (trace.count < 2) return;
  const Step &a = step(trace, trace.count - 2), &b = step(trace, trace.count - 1);
  if (!a.has_outcome || a.call.site != b.call.site || a.call.address != b.call.address || a.call.size != b.call.size || a.source == b.source) return;
  if (a.effects != b.effects || a.operation + 1 != b.operation || !is_read_only(a.call, a.outcome) || !is_read_only(b.call, b.outcome)) return;
  const Outcome outcome = outcome_with(a.call, b.outcome.value);
  if (!is_read_only(a.call, outcome) || order_of_read(a.call) != order_of_read(b.call) || a.holds != b.holds || a.time != here->time || !may_be_asked(thread, a)) return;
  if (!CodePaths::may_lead_to(a.call.site, b.call.site)) return;
  if (Speculation::run(thread, a, outcome) && Speculation::came_to(thread, b)) stop_redundant(thread, trace.count - 2, b);
}

bool is_last(const LoopTrace& trace, int i, std::uint64_t operation) { return trace.steps[static_cast<std::size_t>(i)].operation + static_cast<std::uint64_t>(trace.count - i) == operation; }

void rules_b_and_n(Thread& thread) {
  LoopTrace& trace = thread.spin;
  for (int c = trace.count - 1; c > 0 && c >= trace.count - 1 - kMostBetween; --c) {
    const Step& later = step(trace, c);
    if (!later.has_outcome || !is_last(trace, c, here->operation)) return;
    rule_b(thread, c);
    if (c == trace.count - 1) rule_n(thread);
  }
}

/// Whether one of the last operations has accessed what an earlier one has. A quick look: in most programs none has.
bool have_two_of_one(const Thread& thread) {
  const LoopTrace& trace = thread.spin;
  for (int c = trace.count - 1; c > 0 && c >= trace.count - 1 - kMostBetween && is_last(trace, c, thread.operations); --c)
    for (int r = c; r-- > 0;)
      if (trace.steps[static_cast<std::size_t>(r)].call.address == trace.steps[static_cast<std::size_t>(c)].call.address) return true;
  return false;
}

bool may_take_over(const Thread& thread) {
  return reduces_loops && takes_over && have_two_of_one(thread) && !thread.result.next_is_known && program().explores_all();
}

/// The place for another step, or -1: this one is passed over.
int next_place(LoopTrace& trace) {
  if (trace.count < kMostSteps) return trace.count++;
  if (++trace.skipped < trace.distance) return -1;
  trace.skipped = 0;
  trace.distance *= 2;
  return kMostSteps - 1;
}

__attribute__((noinline)) void begin(Thread& thread, const Call& call) {
  LoopTrace& trace = thread.spin;
  trace.place = trace.now = -1;
  if (trace.steps_effects != trace.effects) forget(trace);
  if (trace.count >= kMostSteps / 2) forget_steps_before(trace, trace.count - kMostBetween - 1);
  if (!describe(thread, call)) return;
  if (trace.untested != 0) program().given_back().try_out(thread, *here);
  if (!rule_a(thread)) return;
  if (may_take_over(thread)) rules_b_and_n(thread);
  program().own_flags().arrive(thread, *here);
  program().kept_turns().arrive(thread, *here);
  trace.now = next_place(trace);
  if (trace.now < 0) return;
  Step& now = trace.steps[static_cast<std::size_t>(trace.now)];
  if (&now != here) std::swap(now, *here);
  trace.place = program().given_back().is_watched(call.address) ? -1 : program().waiting_places().arrive(thread, now);
}

}  // namespace

void begin_step(Thread& thread, const Call& call) {
  if (is_testing) return;
  settle_plain_write(thread);
  begin(thread, call);
  scrub_stack();
}

void begin_step(Thread& thread, std::uintptr_t site, const volatile void* object) {
  Call call;
  call.site = site;
  call.address = reinterpret_cast<std::uintptr_t>(object);
  begin_step(thread, call);
}

bool may_end_turn(const Thread& thread) { return thread.spin.untested != 0 || may_take_over(thread); }

__attribute__((noinline)) static void look_back(Thread& thread, const Call& call) {
  if (!describe(thread, call)) return;
  if (thread.spin.untested != 0) program().given_back().try_out(thread, *here);
  if (may_take_over(thread)) rules_b_and_n(thread);
}

void begin_last(Thread& thread, const Call& call) {
  look_back(thread, call);
  scrub_stack();
}

void begin_end(Thread& thread) {
  if (is_testing) return;
  Call call;
  call.kind = Call::Kind::kEnd;
  call.operand = reinterpret_cast<std::uint64_t>(thread.returned);
  if (Speculation::is_on()) Speculation::arrive(call);
  settle_plain_write(thread);
  if (may_end_turn(thread)) look_back(thread, call);
}

void end_step(Thread& thread, std::uintptr_t object, const StepResult& result) {
  LoopTrace& trace = thread.spin;
  if (trace.now < 0) return;
  if (step(trace, trace.now).call.address != object || step(trace, trace.now).has_outcome) return;
  Step& now = changed(trace, trace.now);
  now.has_outcome = true;
  now.outcome = result.outcome;
  now.source = result.source;
  now.events = thread.hb[thread.id];
  program().vain_turns().note_causes(thread, now);
  now.failed_spuriously = result.failed_spuriously;
  now.could_have_failed = result.could_have_failed;
}

bool fails_in_vain(const Thread& thread) {
  const LoopTrace& trace = thread.spin;
  if (!reduces_loops || !takes_over || trace.now < 0 || !program().explores_all()) return false;
  const Step& now = trace.steps[static_cast<std::size_t>(trace.now)];
  if (!may_be_asked(thread, now) || !Speculation::run(thread, now, {now.call.expected, false})) return false;
  // What a turn accesses may be in a race: if the thread has not accessed it already, the turn must be made (vain_turns.h).
  const auto first = std::find_if(trace.steps.begin(), trace.steps.begin() + trace.count, [&](const Step& then) { return then.effects == now.effects; });
  if (!Speculation::accessed_nothing_new(thread, first->first_event)) return false;
  return std::any_of(trace.steps.begin(), trace.steps.begin() + trace.count, [&](const Step& then) { return then.effects == now.effects && then.holds == now.holds && then.time == now.time && Speculation::came_to(thread, then); });
}

}  // namespace ordeal::runtime
