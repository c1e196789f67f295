#include "runtime/testing.h"

#include <algorithm>
#include <utility>

#include "runtime/forked.h"
#include "runtime/heap.h"
#include "runtime/outside.h"
#include "runtime/repetition.h"
#include "runtime/signals.h"
#include "runtime/sync.h"
#include "runtime/test_heap.h"
#include "runtime/test_recorder.h"
#include "runtime/timers.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {

using engine::Operation;
using engine::OperationKind;
using model::Access;
using model::MemoryOrder;
using sample::StepKind;
using sample::StoreId;

namespace {

constexpr sample::Tick kLastBase = sample::Tick{1} << 30;
constexpr std::uint64_t kMostOperations = 3'000'000'000;  // of an execution: as many ticks are left
constexpr std::uint64_t kPatience = 1000;  // operations that change nothing
constexpr std::uint64_t kOperationsBetweenLooks = 64;  // at what is outside, if somebody waits for it

}  // namespace

sample::Sampler Testing::sampler_;
int Testing::outside_ = 0;
const char* Testing::why_cut_ = nullptr;
engine::Cut Testing::cut_ = engine::Cut::kNothing;
bool Testing::is_alone_ = true, Testing::is_over_ = false, Testing::is_watched_ = false, Testing::asks_for_stack_ = false;
bool Testing::is_counting_ = false;
std::uint64_t Testing::in_vain_ = 0;
bool Testing::waits_for_ever_ = false;
std::uint64_t Testing::execution_ = 0, Testing::operations_ = 0, Testing::atomics_ = 0, Testing::max_operations_ = 0, Testing::timers_ = 0, Testing::timers_in_vain_ = 0;
std::vector<Testing::Known> Testing::locations_;
std::map<sample::Memory::LocationId, sample::Published> Testing::released_by_writers_;
std::vector<Testing::Race> Testing::races_;
RaceAccess Testing::watched_, Testing::watched_for_;
std::uintptr_t Testing::watched_address_ = 0, Testing::found_address_ = 0;
std::set<std::uintptr_t> Testing::stored_alone_;
std::size_t Testing::watched_size_ = 0, Testing::found_size_ = 0;
bool Testing::found_allocation_ = false;
std::uint32_t Testing::watched_stack_ = 0;
TestRecorder::Place Testing::watched_place_;

// --- one execution -----------------------------------------------------------------------------------------------------------

/// The engine's part: it enters the thread that is to run, until none can.
Testing::Ending Testing::run(NativeProgram& program, sample::Strategy& strategy, const Execution& execution) {
  ++execution_;
  forget_locks_held(program.thread_count());
  Forked::begin();
  program.begin();
  for (auto& [lock, released] : released_by_writers_) sampler_.memory().let_go(released);
  released_by_writers_.clear();
  if (sampler_.memory().base() > kLastBase) {  // ticks have 32 bits, and each execution's begin behind those of the last
    sampler_.memory().begin_anew();
    RaceShadow::clear();
  }
  sampler_.begin(strategy, execution.seed, execution.number);
  races_.clear();
  standing_.clear();
  stored_alone_.clear();
  operations_ = atomics_ = in_vain_ = timers_ = timers_in_vain_ = 0;
  is_counting_ = false;
  max_operations_ = limit(execution.max_operations);
  begin_attending();
  is_over_ = waits_for_ever_ = false;
  outside_ = 0;
  why_cut_ = nullptr;
  cut_ = engine::Cut::kBound;
  RaceShadow::set_on_race(&note_race);
  TestHeap::set_forget(&forget_sync_objects);
  set_alone(true);
  Outside::begin();
  int next = 0;
  while (!is_over_ && !Watchdog::over_flag()) {
    if (next == sample::Sampler::kNobody) {
      if (!let_time_run_out(program) && !(Outside::look(program, true) || let_time_run_out(program) || let_timer_go_off(program))) break;
      next = sampler_.choose_other(sample::Sampler::kNobody);
      if (next == sample::Sampler::kNobody) continue;  // it was for a file
    }
    Thread& thread = program.thread(next);
    done(thread);
    program.enter_for_testing(thread);
    next = sampler_.chosen();
  }
  if (Forked::is_here) Forked::end(program);
  if (program.failure() != nullptr) return Ending::kFailed;
  if (program.has_exited()) return Ending::kComplete;
  if (waits_for_ever_) return Ending::kNoProgress;
  if (outside_ > 0 && why_cut_ == nullptr) why_cut_ = "all threads wait, some of them for what is outside the program";
  if (is_over_ || Watchdog::over_flag() || outside_ > 0) return Ending::kCut;
  for (int t = 0; t < program.thread_count(); ++t)
    if (program.thread(t).state == Thread::State::kRunning && !program.thread(t).is_helper) return Ending::kDeadlock;
  return Ending::kComplete;
}

std::uint64_t Testing::limit(std::uint64_t asked) { return asked != 0 ? std::min(asked, kMostOperations) : kMostOperations; }

/// The running thread leaves: who was chosen runs, until this one is chosen again.
void Testing::leave(Thread& thread) {
  do {
    Fiber::leave();
  } while (asks_for_stack_ && (thread.stack = NativeProgram::instance->stack_here(thread.site)) != 0);
}

/// The same, if the engine has nothing to do between the two.
[[gnu::always_inline]] inline void Testing::switch_to_chosen(Thread& thread) {
  const int chosen = sampler_.chosen();
  if (chosen == sample::Sampler::kNobody || chosen == thread.id || is_over_ || Watchdog::over_flag()) return leave(thread);
  Thread& next = NativeProgram::instance->thread(chosen);
  done(next);
  NativeProgram::instance->leave_for_testing(next);
  if (asks_for_stack_ && (thread.stack = NativeProgram::instance->stack_here(thread.site)) != 0) [[unlikely]] leave(thread);
}

void Testing::leave_for_chosen(Thread& thread) { switch_to_chosen(thread); }

std::uint32_t Testing::stack_of(NativeProgram& program, int thread) {
  const bool was_recording = std::exchange(Stacks::is_recording, true);
  asks_for_stack_ = true;
  program.enter_for_testing(program.thread(thread));
  asks_for_stack_ = false;
  Stacks::is_recording = was_recording;
  return program.thread(thread).stack;
}

void Testing::end_here(Thread& thread) {
  is_over_ = true;
  for (;;) leave(thread);
}

/// Nothing has changed for long: all go on in turn, and have done so many times before it is said that they wait for ever.
void Testing::take_turns(Thread& thread) {
  if (Timers::are_set()) {  // they may wait for one of them
    in_vain_ = 0;
    if (++timers_in_vain_ > kMostTimersInVain) why_cut_ = kTimersInVain, end_here(thread);
    if (Timers::let_first_go_off()) return;
  }
  if (in_vain_ == kTakesTurns + 1) {
    Repetition::begin();
    set_counting(true);
  }
  Repetition::look_at(thread);
  if (in_vain_ > kMostInVain && in_vain_ > kMostInVainOfOne * sampler_.ready().size() && (in_vain_ > kMostCounting || Repetition::is_of_all(sampler_.ready()))) {
    waits_for_ever_ = true;
    end_here(thread);
  }
  if (!sampler_.takes_turn(thread.id)) switch_to_chosen(thread);
}

/// For those that are called most often a part of them: behind a change of threads each return is one that the processor did not expect.
[[gnu::always_inline]] inline void Testing::arrive_here(Thread& thread, StepKind kind) {
  Watchdog::stop_if_wanted();
  ++operations_;
  if (operations_ >= attend_at_) [[unlikely]] attend(thread);
  if (++in_vain_ > kShowsThatItWaits) [[unlikely]] kind = StepKind::kYield;
  if (Outside::waiting != 0 && (Outside::is_changed || operations_ % kOperationsBetweenLooks == 0)) [[unlikely]] Outside::look(*NativeProgram::instance, false);
  if (in_vain_ > kTakesTurns) [[unlikely]] return take_turns(thread);
  if (!sampler_.goes_on(thread.id, kind)) switch_to_chosen(thread);
}

void Testing::arrive(Thread& thread, StepKind kind) { arrive_here(thread, kind); }

/// The thread's tick, or what it knows, may have changed.
void Testing::done(Thread& thread) {
  RaceShadow::set_self(thread.id, sampler_.memory().tick(thread.id));
  RaceShadow::set_knowledge(sampler_.memory().knows(thread.id));
}

void Testing::yield() {
  if (is_alone_) return;
  Thread& thread = self();
  arrive(thread, StepKind::kYield);
  done(thread);
}

// --- atomic objects ------------------------------------------------------------------------------------------------------------

/// What it is in this execution.
RaceShadow::Atomic& Testing::object_at(const Cell& cell) {
  ++atomics_;
  RaceShadow::Atomic& atomic = RaceShadow::atomic_at(cell.address, cell.size);
  const model::Value held = NativeProgram::instance->location_table().load(cell.address, cell.size);
  if (atomic.execution == execution_ && sampler_.memory().last(atomic.location).value == held) [[likely]] return atomic;
  if (atomic.execution == execution_ && atomic.unfinished == sampler_.memory().last_id(atomic.location)) {
    sampler_.memory().set_value(atomic.unfinished, held);
    atomic.unfinished = sample::kNoStore;
    return atomic;
  }
  atomic.execution = execution_;
  atomic.unfinished = sample::kNoStore;
  atomic.location = sampler_.memory().new_location(held);
  if (TestRecorder::is_on) [[unlikely]] TestRecorder::add_location(atomic.location, cell.address, cell.size, held);
  atomic.is_uninitialised = is_heap(cell.address) && ProgramHeap::is_untouched(cell.address, cell.size);
  return atomic;
}

/// Memory holds what is last in modification order.
void Testing::finish_store(const Cell& cell, const RaceShadow::Atomic& atomic) {
  if (TestRecorder::is_on) [[unlikely]] stored_alone_.erase(cell.address);  // what is last now is recorded
  NativeProgram::instance->location_table().store(cell.address, cell.size, sampler_.memory().last(atomic.location).value);
}

void Testing::check_initialised(const RaceShadow::Atomic& atomic, StoreId from, const Cell& cell) {
  if (!atomic.is_uninitialised || sampler_.memory().store(from).thread >= 0) return;
  fail_on_memory(trace::BugKind::kUninitialisedLoad, cell.address, cell.size, false, cell.site);
}

model::Value Testing::note_seen(Thread& thread, const Cell& cell, model::Value value) {
  thread.seen_cell = cell.address;
  return thread.seen_value = value;
}

model::Value Testing::last_seen(const Cell& cell) { return self().seen_cell == cell.address ? self().seen_value : load(cell, MemoryOrder::kRelaxed); }

model::Value Testing::load(const Cell& cell, MemoryOrder order) {
  Thread& thread = self();
  if (is_alone_) {
    Watchdog::stop_if_wanted();  // it may wait for a handler to change it
    require_live_object(cell, false);
    if (TestRecorder::is_on) [[unlikely]] record_alone(cell, order);
    return note_seen(thread, cell, NativeProgram::instance->location_table().load(cell.address, cell.size));
  }
  arrive_here(thread, StepKind::kLoad);
  require_live_object(cell, false);
  RaceShadow::Atomic& atomic = object_at(cell);
  RaceShadow::note_atomic(atomic, false, cell.site);
  if (is_watched_) [[unlikely]] look_for_watched(cell.address, cell.size, false, true, cell.site);
  // Who waits for long sees what there is, in the end.
  const StoreId from = in_vain_ < kPatience ? sampler_.load(thread.id, atomic.location, order) : sampler_.load_newest(thread.id, atomic.location, order);
  if (TestRecorder::is_on) [[unlikely]] TestRecorder::read({thread.id, atomic.location, order, cell.site}, sampler_.memory().store(from));
  check_initialised(atomic, from, cell);
  done(thread);
  return note_seen(thread, cell, sampler_.memory().store(from).value);
}

void Testing::store(const Cell& cell, model::Value value, MemoryOrder order) {
  if (is_alone_) {
    require_live_object(cell, true);
    if (TestRecorder::is_on) [[unlikely]] stored_alone_.insert(cell.address);
    return NativeProgram::instance->location_table().store(cell.address, cell.size, value);
  }
  Thread& thread = self();
  arrive_here(thread, order == MemoryOrder::kSeqCst ? StepKind::kRmw : StepKind::kStore);
  require_live_object(cell, true);
  RaceShadow::Atomic& atomic = object_at(cell);
  RaceShadow::note_atomic(atomic, true, cell.site);
  if (is_watched_) [[unlikely]] look_for_watched(cell.address, cell.size, true, true, cell.site);
  if (sampler_.memory().last(atomic.location).value != value) in_vain_ = 0;
  sampler_.store(thread.id, atomic.location, value, order, TestRecorder::number(thread.id));
  if (TestRecorder::is_on) [[unlikely]] TestRecorder::write({thread.id, atomic.location, order, cell.site}, value);
  finish_store(cell, atomic);
  done(thread);
}

model::Value Testing::rmw(const Cell& cell, model::RmwFunction function, model::Value operand, MemoryOrder order) {
  Access access;
  access.order = access.failure_order = order;
  access.function = function;
  access.operand = operand;
  access.bits = static_cast<std::uint8_t>(cell.size == 16 ? 64 : cell.size * 8);
  access.is_signed = false;
  Thread& thread = self();
  if (is_alone_) {
    require_live_object(cell, true);
    if (TestRecorder::is_on) [[unlikely]] record_alone(cell, order), stored_alone_.insert(cell.address);
    Locations& memory = NativeProgram::instance->location_table();
    const model::Value old = memory.load(cell.address, cell.size);
    memory.store(cell.address, cell.size, model::value_written(access, old));
    return note_seen(thread, cell, old);
  }
  arrive_here(thread, StepKind::kRmw);
  require_live_object(cell, true);
  RaceShadow::Atomic& atomic = object_at(cell);
  RaceShadow::note_atomic(atomic, true, cell.site);
  if (is_watched_) [[unlikely]] look_for_watched(cell.address, cell.size, true, true, cell.site);
  const sample::Sampler::Rmw result = sampler_.rmw(thread.id, atomic.location, access, TestRecorder::number(thread.id, 1));
  const model::Value old = sampler_.memory().store(result.source).value;
  if (TestRecorder::is_on) [[unlikely]] record_rmw(thread, atomic.location, access, result, cell.site);
  check_initialised(atomic, result.source, cell);
  if (model::value_written(access, old) != old) in_vain_ = 0;
  finish_store(cell, atomic);
  done(thread);
  return note_seen(thread, cell, old);
}

bool Testing::compare_exchange(const Cell& cell, CompareExchange& exchange) {
  Thread& thread = self();
  if (is_alone_) {
    require_live_object(cell, true);
    Locations& memory = NativeProgram::instance->location_table();
    const model::Value old = memory.load(cell.address, cell.size);
    const bool succeeds = old == exchange.expected;
    if (TestRecorder::is_on) [[unlikely]] record_alone(cell, succeeds ? exchange.order : exchange.failure_order);
    if (TestRecorder::is_on && succeeds) [[unlikely]] stored_alone_.insert(cell.address);
    if (succeeds) memory.store(cell.address, cell.size, exchange.desired);
    exchange.expected = note_seen(thread, cell, old);
    return succeeds;
  }
  Access access;
  access.order = exchange.order;
  access.failure_order = exchange.failure_order;
  access.function = model::RmwFunction::kCompareExchange;
  access.operand = exchange.desired;
  access.expected = exchange.expected;
  access.bits = static_cast<std::uint8_t>(cell.size == 16 ? 64 : cell.size * 8);
  access.is_signed = false;
  access.is_weak = exchange.is_weak && explore_spurious;
  arrive_here(thread, StepKind::kRmw);
  require_live_object(cell, true);
  RaceShadow::Atomic& atomic = object_at(cell);
  const sample::Sampler::Rmw result = sampler_.rmw(thread.id, atomic.location, access, TestRecorder::number(thread.id, 1));
  RaceShadow::note_atomic(atomic, result.succeeded, cell.site);
  if (is_watched_) [[unlikely]] look_for_watched(cell.address, cell.size, result.succeeded, true, cell.site);
  if (TestRecorder::is_on) [[unlikely]] record_rmw(thread, atomic.location, access, result, cell.site);
  exchange.expected = note_seen(thread, cell, sampler_.memory().store(result.source).value);
  check_initialised(atomic, result.source, cell);
  if (result.succeeded) finish_store(cell, atomic);
  if (result.succeeded && exchange.desired != exchange.expected) in_vain_ = 0;
  done(thread);
  return result.succeeded;
}

/// The one that a spurious failure reads may be any: it has the failure order.
void Testing::record_rmw(const Thread& thread, sample::Memory::LocationId location, const Access& access, const sample::Sampler::Rmw& result, std::uintptr_t site) {
  const sample::Store& source = sampler_.memory().store(result.source);
  const bool fails = model::may_fail(access) && !result.succeeded;
  TestRecorder::read({thread.id, location, fails ? access.failure_order : access.order, site, result.succeeded}, source, fails && model::writes_after_reading(access, source.value));
  if (access.function == model::RmwFunction::kCompareExchange && access.await == model::Await::kNone) TestRecorder::compares(access);
  if (result.succeeded) TestRecorder::write({thread.id, location, access.order, site, true}, model::value_written(access, source.value));
}

model::Value Testing::await(const Cell& cell, model::Value old, MemoryOrder order) {
  Access access;
  access.order = order;
  access.await = model::Await::kNotEqual;
  access.operand = cell.size >= 8 ? model::Value{-1} : (model::Value{1} << cell.size * 8) - 1;
  access.expected = old;
  Thread& thread = self();
  for (;;) {
    arrive(thread, StepKind::kSync);
    require_live_object(cell, false);
    RaceShadow::Atomic& atomic = object_at(cell);
    RaceShadow::note_atomic(atomic, false, cell.site);
    if (is_watched_) [[unlikely]] look_for_watched(cell.address, cell.size, false, true, cell.site);
    const StoreId from = sampler_.await(thread.id, atomic.location, access);
    thread.result.succeeded = from != sample::kNoStore;
    if (std::exchange(thread.has_timed_out, false) && from == sample::kNoStore) return old;
    if (from != sample::kNoStore) {
      if (TestRecorder::is_on) [[unlikely]] TestRecorder::read({thread.id, atomic.location, order, cell.site}, sampler_.memory().store(from));
      check_initialised(atomic, from, cell);
      done(thread);
      return note_seen(thread, cell, sampler_.memory().store(from).value);
    }
    thread.operation.kind = OperationKind::kAwait;
    thread.operation.access = access;
    thread.operation.access.location = NativeProgram::instance->location_table().at(cell.address, cell.size, LocationSort::kMemory);
    thread.site = cell.site;
    if (!Signals::must_look()) [[likely]] {
      sampler_.block_at(thread.id, atomic.location);
      sampler_.choose_other(thread.id);
      leave_for_chosen(thread);
    }
    Watchdog::stop_if_wanted();
  }
}

void Testing::fence(MemoryOrder order, std::uintptr_t site) {
  if (is_alone_ || order == MemoryOrder::kRelaxed) return;
  Thread& thread = self();
  arrive(thread, StepKind::kFence);
  if (TestRecorder::is_on) [[unlikely]] TestRecorder::fence(thread.id, order, site);
  sampler_.memory().fence(thread.id, order);
  done(thread);
}

}  // namespace ordeal::runtime
