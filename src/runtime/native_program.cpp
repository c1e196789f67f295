#include "runtime/native_program.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/annotations.h"
#include "runtime/debugger.h"
#include "runtime/entry.h"
#include "runtime/heap.h"
#include "runtime/libc_state.h"
#include "runtime/loops/trace.h"
#include "runtime/milestones.h"
#include "runtime/notify_one.h"
#include "runtime/scrub.h"
#include "runtime/snapshot.h"
#include "runtime/testing.h"
#include "runtime/tls.h"

namespace ordeal::runtime {

using engine::Cut;
using engine::Operation;
using engine::OperationKind;
using engine::Result;

NativeProgram* NativeProgram::instance = nullptr;
Thread* NativeProgram::current = nullptr;

namespace {

constexpr int kTlsBlocksAtOnce = 8;
constexpr std::size_t kStackSlack = 1024;  // below the lowest frame seen: leaf frames reach further down

bool map_stack(int thread) {
  void* wanted = reinterpret_cast<void*>(stack_end(thread) - kStackSize);
  return mmap(wanted, kStackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == wanted;
}

}  // namespace

NativeProgram::NativeProgram(void (*body)(void*), void* argument) : body_(body), argument_(argument), milestones_(new Milestones(*this)) {
  instance = this;
  children_.emplace_back();
  threads_.push_back(new Thread);
  Debugger::note(*threads_.back());
  map_stack(0);
}

NativeProgram::~NativeProgram() = default;

void NativeProgram::begin() {
  milestones_->begin();
  Snapshot::restore();
  ProgramHeap::reset();
  Shadow::reset();
  Annotations::reset();
  locations_.begin_execution();
  restore_keys();
  restore_exit_handlers();
  LibcState::restore();
  forget_execution();
  if (Stacks::is_recording) {
    Stacks::clear();
    recorded_.assign(recorded_.size(), {});
  }
  for (Thread* thread : threads_) forget(*thread);
  Thread& first = thread(0);
  first.parent = -1;
  first.width = 0;
  first.unaware_of = 0;
  start(first);
  first.is_alone = true;
}

void NativeProgram::forget_execution() {
  has_failed_ = exited_ = false;
  notifications_.clear();
  exit_code_ = 0;
}

bool NativeProgram::has_ended_in_order() const {
  return std::any_of(threads_.begin(), threads_.end(), [](const Thread* thread) { return thread->state != Thread::State::kUnused && thread->exit_stack != 0; });
}

bool NativeProgram::must_begin_anew() const {
  return waiting_places_.must_begin_anew() || vain_turns_.must_begin_anew() || repeated_stores_.must_begin_anew() || vain_locks_.must_begin_anew() || own_flags_.must_begin_anew() || own_stacks_.must_begin_anew() || given_back_.must_begin_anew() || stopped_turns_.must_begin_anew() || NotifyOne::is_seen != NotifyOne::is_known;
}

void NativeProgram::begin_round() {
  given_back_.begin_round();  // (waiting_places_ asks it)
  if (own_stacks_.must_begin_anew()) waiting_places_.forget();
  waiting_places_.begin_round();
  vain_turns_.begin_round();
  repeated_stores_.begin_round();
  vain_locks_.begin_round();
  own_flags_.begin_round();
  own_stacks_.begin_round();
  kept_turns_.begin_round();
  stopped_turns_.begin_round();
  NotifyOne::is_known = NotifyOne::is_seen;
}

bool NativeProgram::has_accessed_behind_its_last_event(engine::ThreadId id) {
  const Thread& thread = this->thread(number(id));
  const base::ClockEntry events = thread.hb[thread.id];
  return thread.last_shared >= events || (thread.last_plain >= events && !own_stacks_.rely_on(thread.id));
}

bool NativeProgram::keep(int milestone) { return milestones_->keep(milestone); }
int NativeProgram::milestones() const { return milestones_->count(); }
/// The time to copy the heap.
std::int64_t NativeProgram::extra_cost_of_keeping() const {
  constexpr std::size_t kBytesAnOperation = 1500;
  return static_cast<std::int64_t>(ProgramHeap::used_memory() / kBytesAnOperation);
}

void NativeProgram::go_back(int milestone) {
  milestones_->go_back(milestone);
  forget_execution();
}

void forget(Thread& thread) {
  thread.state = Thread::State::kUnused;
  thread.is_promised = false;
  thread.operation.kind = OperationKind::kFinish;
  Milestones::note_run(thread);
}

std::uintptr_t used_stack_begin(const Thread& thread) {
  const std::uintptr_t end = stack_end(thread.id);
  return thread.lowest_stack == 0 ? end : std::max(thread.lowest_stack - kStackSlack, end - kStackSize);
}

__attribute__((noinline)) void scrub_dead_stack(Thread& thread) {
  constexpr std::size_t kOfMemset = 512;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::uintptr_t begin = used_stack_begin(thread);
  if (begin < here - kOfMemset) std::memset(reinterpret_cast<void*>(begin), 0, here - kOfMemset - begin);
  thread.lowest_stack = here;
}

/// Ready to run from its beginning.
void NativeProgram::start(Thread& thread) {
  Milestones::note_run(thread);
  thread.state = Thread::State::kReady;
  thread.children = 0;
  thread.last_child = thread.window = thread.joining = -1;
  thread.knows_itself = false;
  thread.is_detached = thread.asks_for_more_stack = thread.is_joined = thread.is_promised = thread.waits_with_time_limit = thread.has_timed_out = thread.is_alone = thread.is_helper = false;
  thread.deadline = thread.virtual_deadline = 0;
  thread.lent = {};
  thread.pending = {};
  thread.seen_cell = 0;
  thread.last_plain = thread.last_shared = 0;
  thread.operations = 0;
  ++thread.spin.effects;
  forget_all(thread.spin);
  thread.effects.clear();
  thread.adds.clear();
  thread.spin.halves.clear();
  thread.spin.last_add = {};
  thread.spin.untested = thread.spin.stopped_at = 0;
  thread.spin.now = thread.spin.place = -1;
  thread.spin.last_write.size = 0;
  thread.spin.relied_on_count = 0;
  thread.kept = {};
  thread.places.clear();
  thread.frames.clear();
  thread.yields = 0;
  thread.spin.holds = thread.spin.looks = thread.spin.tries = 0;
  thread.held_robust = -1;
  thread.destructor_count = 0;
  thread.spurious_wake_ups = 0;
  thread.exit_stack = 0;
  thread.ignored_reads = thread.ignored_writes = 0;
  thread.rethrown = 0;
  thread.time = 0;
  thread.has_handled_signal = thread.must_end_call = thread.may_be_interrupted = false;
  thread.is_cancelled = thread.is_cancel_disabled = thread.is_cancel_asynchronous = thread.may_be_cancelled = false;
  thread.handlers = nullptr;
  thread.blocked_signals = thread.id == 0 ? 0 : this->thread(thread.parent).blocked_signals;
  if (thread.id == 0) thread.name[0] = 0;
  else std::memcpy(thread.name, this->thread(thread.parent).name, sizeof thread.name);
  thread.random.is_seeded = false;
  forget_key_values(thread);
  while (TlsPool::count() <= thread.id) TlsPool::make(TlsPool::count() + kTlsBlocksAtOnce);
  TlsPool::reset(thread.id);
  const std::uintptr_t end = stack_end(thread.id), begin = used_stack_begin(thread);
  std::memset(reinterpret_cast<void*>(begin), 0, end - begin);
  thread.lowest_stack = end - 256;
  thread.fiber.start(reinterpret_cast<void*>(end - 64), kStackSize - 64, TlsPool::base(thread.id), &NativeProgram::run_thread, &thread);
}

void NativeProgram::run_thread(void* argument) {
  Thread& thread = *static_cast<Thread*>(argument);
  if (thread.id == 0) instance->body_(instance->argument_);
  else run_native_thread(thread);
  instance->finish();
}

Thread& NativeProgram::add_thread() {
  const int id = thread_count();
  children_.emplace_back();
  threads_.push_back(new Thread);
  threads_.back()->id = id;
  Debugger::note(*threads_.back());
  if (!map_stack(id)) refuse("no memory for the stack of a thread", 0);
  return *threads_.back();
}

/// The lowest number that is free.
Thread& NativeProgram::new_child_for_testing(Thread& parent) {
  const int used = Testing::find_number(*this, parent);
  Thread& child = used >= 0 ? thread(used) : add_thread();
  child.is_promised = true;  // others may create threads before this one starts
  child.parent = parent.id;
  return child;
}

Thread& NativeProgram::new_child(Thread& parent) {
  if (is_testing) return new_child_for_testing(parent);
  std::vector<int>& children = children_[static_cast<std::size_t>(parent.id)];
  const auto n = static_cast<std::size_t>(parent.children++);
  if (n == children.size()) {
    const int id = thread_count();
    if (id == kMaxCheckedThreads) refuse("more than 256 threads", 0);
    children.push_back(id);
    add_thread();
  }
  Thread& child = thread(children_[static_cast<std::size_t>(parent.id)][n]);
  child.parent = parent.id;
  return child;
}

namespace {

void learn(Thread& thread, const Result& result) {
  thread.width = result.width;
  base::copy(thread.hb, result.hb, result.width);
  if (!NativeProgram::instance->vain_turns().are_there()) return;
  thread.unaware_of = 0;
  for (int t = 0; t < result.width; ++t)
    if (result.porf[t] > result.hb[t]) thread.unaware_of |= mask_of(t);
}

/// Threads that came up later are unknown to it.
void forget_later_threads(Thread& thread, int threads) {
  std::fill(thread.hb + thread.width, thread.hb + std::max<int>(thread.width, threads), 0);
}

}  // namespace

const Operation& NativeProgram::next(engine::ThreadId id) {
  Thread& thread = this->thread(number(id));
  if (thread.state == Thread::State::kReady) {
    thread.state = Thread::State::kRunning;
    enter(thread);
  }
  return thread.operation;
}

void NativeProgram::resume(engine::ThreadId id, const Result& result) {
  Thread& thread = this->thread(number(id));
  if (Stacks::is_recording) {
    if (recorded_.size() < threads_.size()) recorded_.resize(threads_.size());
    recorded_[static_cast<std::size_t>(thread.id)].push_back(thread.stack);
  }
  thread.result = result;
  complete(thread);
  enter(thread);
}

/// The thread's operation has its result.
void NativeProgram::complete(Thread& thread) {
  learn(thread, thread.result);
  if (thread.operation.kind != OperationKind::kCreate) return;
  Thread& child = this->thread(number(thread.operation.access.other));
  learn(child, thread.result);
  start(child);
  if (thread.random.is_seeded) child.random = thread.random;
}

void NativeProgram::enter(Thread& thread) {
  forget_later_threads(thread, thread_count());
  Milestones::note_run(thread);
  stopped_turns_.note_run();
  current = &thread;
  thread.fiber.enter();
  current = nullptr;
}

void NativeProgram::enter_for_testing(Thread& thread) {
  if (thread.state == Thread::State::kReady) thread.state = Thread::State::kRunning;
  current = &thread;
  thread.fiber.enter();
  current = nullptr;
}

/// For another thread, which goes on at once: as if the engine had entered it.
void NativeProgram::leave_for_testing(Thread& next) {
  if (next.state == Thread::State::kReady) next.state = Thread::State::kRunning;
  current = &next;
  Fiber::leave_for(next.fiber);
}

void NativeProgram::start_for_testing(const Thread& parent, Thread& child) {
  Thread* self = std::exchange(current, nullptr);  // storage for the thread is not the program's
  const std::uintptr_t own = thread_pointer();
  set_thread_pointer(Fiber::engine_thread_pointer());
  start(child);
  set_thread_pointer(own);
  current = self;
  if (parent.random.is_seeded) child.random = parent.random;
}

/// While an execution is run again: the thread need not wait for the engine.
bool NativeProgram::goes_on_at_once(Thread& thread) {
  if (known_results_ == nullptr || Stacks::is_recording) return false;
  current = nullptr;  // what the engine calls is not the program's
  const bool is_known = known_results_->next_is(engine::ThreadId{thread.id}, thread.operation, thread.result);
  if (is_known) {
    complete(thread);
    forget_later_threads(thread, thread_count());
  }
  current = &thread;
  return is_known;
}

/// A function of its own, so that nothing above its frame, which is not scrubbed, tells whether the thread had to wait.
void NativeProgram::wait_for_result(Thread& thread, std::uintptr_t site) {
  if (goes_on_at_once(thread)) return;
  do {
    Fiber::leave();
  } while (asks_for_stack_ && (thread.stack = stack_here(site)) != 0);
}

const Result& NativeProgram::perform(const Operation& operation, std::uintptr_t site) {
  current->operation = operation;
  return perform(site);
}

namespace {

/// Whether the operation that the thread is about to make is the last step of its trace.
bool is_step(const Thread& thread) {
  const LoopTrace& trace = thread.spin;
  return trace.now >= 0 && trace.steps[static_cast<std::size_t>(trace.now)].operation + 1 == thread.operations;
}

}  // namespace

const Result& NativeProgram::perform(std::uintptr_t site) {
  Thread& thread = *current;
  if (is_testing) [[unlikely]] {
    thread.site = site;
    Testing::perform(thread);
    return thread.result;
  }
  if (symmetry_.is_on()) [[unlikely]] symmetry_.note_operation(thread, thread.operation);
  if (given_back_.are_there()) [[unlikely]] given_back_.begin_operation(thread);
  ++operations_;
  ++thread.operations;
  if (max_operations_ != 0 && thread.operations > max_operations_) cut(thread, site);
  if (is_step(thread)) note_place(thread, site);
  else note_unknown_place(thread, site);  // (trace.cpp asks by which operations it has come)
  thread.operation.access.thread = engine::ThreadId{thread.id};
  thread.operation.access.site = static_cast<std::uint32_t>(site);
  thread.site = site;
  thread.stack = stack_here(site);
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (here < thread.lowest_stack) thread.lowest_stack = here;
  wait_for_result(thread, site);
  if (given_back_.are_there()) [[unlikely]] given_back_.end_operation(thread);
  use_up_stamp();
  scrub_stack();
  if (Bounds::any() && Bounds::are_reached(thread, site, thread.result)) stop(Cut::kBound);
  return thread.result;
}

std::uint32_t NativeProgram::stack_here(std::uintptr_t site) {
  if (!Stacks::is_recording) return 0;
  if (Debugger::is_asked_to_stop) Debugger::stop();
  if (!Stacks::has_room_to_walk()) return Stacks::add(site);
  Thread* thread = std::exchange(current, nullptr);  // what the unwinder calls is not the program's
  const std::uint32_t stack = Stacks::add(site);
  scrub_stack_deep();
  current = thread;
  return stack;
}

void NativeProgram::note_notification(std::uintptr_t address, bool is_to_all) {
  notifications_.push_back({address, current->id, current->hb[current->id], is_to_all});
  NotifyOne::is_seen |= !is_to_all;
}

}  // namespace ordeal::runtime
