// What only whole programs need of random testing (testing.h): many threads, memory that is used again, waits for what is outside, and
// executions that would not end.
#include <sys/mman.h>

#include <algorithm>

#include "runtime/arrived_signals.h"
#include "runtime/heap.h"
#include "runtime/libraries.h"
#include "runtime/outside.h"
#include "runtime/sync.h"
#include "runtime/testing.h"
#include "runtime/timers.h"

namespace ordeal::runtime {

std::uint64_t Testing::attend_at_ = 0;

namespace {

constexpr std::size_t kFewPages = 16;

// Waits with a time limit while others go on: a thread that goes round a loop until such a wait has ended would go round for ever. So time runs out for
// one that waits after so many operations that change nothing, fewer each time; but not for ever: who only polls with a time limit makes no progress,
// either. And after so many operations, if they change something.
constexpr std::uint64_t kBetweenLooks = 1024, kPatienceAtFirst = 16384, kMostTimeOuts = 10'000, kLong = std::uint64_t{1} << 18;
std::uint64_t vain_operations = 0, time_outs = 0, last_time_out = 0;
int whose_time_ran_out = 0;

}  // namespace

using engine::OperationKind;

int Testing::find_number(NativeProgram& program, const Thread& parent) {
  const sample::Memory& memory = sampler_.memory();
  int other = -1;
  for (int t = 1; t < program.thread_count(); ++t) {
    const Thread& thread = program.thread(t);
    if (thread.is_promised) continue;
    if (thread.state == Thread::State::kUnused) return t;
    if (thread.state != Thread::State::kFinished || !(thread.is_joined || thread.is_detached)) continue;
    const bool is_known = memory.knows(parent.id)[t] >= memory.tick(t) && locks_held(t) == 0;
    if (!is_known && other < 0) other = t;
    if (!is_known) continue;
    if (has_opened_thread_locals()) {
      other = t;
      continue;
    }
    forget_stack(t, kFewPages);  // what it did is known to who takes its place
    return t;
  }
  if (program.thread_count() < kMaxThreads) return -1;
  if (other < 0) program.refuse("more than 1024 threads at once", parent.site);
  forget_stack(other, kStackSize);
  return other;
}

/// Of a thread that has ended: what it and others did there. `pages` are looked at first, from the top: further down only if the lower
/// half of them was touched.
void Testing::forget_stack(int thread, std::size_t pages) {
  constexpr std::size_t kPage = 4096, kPages = kStackSize / kPage;
  static unsigned char is_there[kPages];
  for (;; pages *= 2) {
    pages = std::min(pages, kPages);
    const std::uintptr_t begin = stack_end(thread) - pages * kPage;
    std::size_t first = 0;
    if (mincore(reinterpret_cast<void*>(begin), pages * kPage, is_there) == 0)
      while (first < pages && (is_there[first] & 1) == 0) ++first;
    if (first < pages / 2 && pages < kPages) continue;
    return RaceShadow::forget(begin + first * kPage, (pages - first) * kPage);
  }
}

void Testing::wait_outside(Thread& thread, std::uintptr_t site) {
  if (site != 0) thread.site = site;
  thread.operation.kind = OperationKind::kNote;
  sampler_.block_until_end(thread.id, sample::Sampler::kNobody);
  sampler_.choose_other(thread.id);
  outside_ += thread.is_helper ? 0 : 1;
  leave(thread);
  outside_ -= thread.is_helper ? 0 : 1;
  done(thread);
}

/// The next one. If they do again and again, and nobody else ever goes on, the execution is cut.
bool Testing::let_timer_go_off(NativeProgram& program) {
  constexpr std::uint64_t kMostTimers = 20'000;
  if (Outside::real_time || !Timers::are_set()) return false;
  if (++timers_ > kMostTimers) {
    why_cut_ = kTimersInVain;
    is_over_ = true;
    return false;
  }
  Timers::let_first_go_off();
  if (ArrivedSignals::are_there()) Outside::wake_for_signals(program);
  return true;
}

void Testing::interrupt(int thread) {
  if (NativeProgram::instance->thread(thread).state != Thread::State::kRunning || sampler_.is_ready(thread)) return;
  Outside::forget_wait(thread);
  sampler_.wake(thread);
}

void Testing::leave_others_behind() {
  NativeProgram& program = *NativeProgram::instance;
  for (int t = 0; t < program.thread_count(); ++t) {
    const Thread::State state = program.thread(t).state;
    if (t == self().id || state == Thread::State::kUnused) continue;
    if (state != Thread::State::kFinished) sampler_.leave_behind(t);  // else its number may be another's
    sampler_.memory().join(self().id, t);
  }
  standing_.clear();
  Outside::forget_waits();
  outside_ = 0;
  set_alone(true);
  done(self());
}

bool Testing::have_all_ended() {
  NativeProgram& program = *NativeProgram::instance;
  for (int t = 0; t < program.thread_count(); ++t) {
    const Thread::State state = program.thread(t).state;
    if (!sampler_.is_left_behind(t) && !program.thread(t).is_helper && (state == Thread::State::kReady || state == Thread::State::kRunning)) return false;
  }
  return true;
}

/// Who waits with a time limit gives up: one of them, each in turn.
bool Testing::let_time_run_out(NativeProgram& program) {
  for (int i = 1; i <= program.thread_count(); ++i) {
    const int t = (whose_time_ran_out + i) % program.thread_count();
    Thread& thread = program.thread(t);
    if (thread.state != Thread::State::kRunning || !thread.waits_with_time_limit || thread.has_timed_out || thread.deadline != 0 || sampler_.is_ready(t)) continue;
    if (Timers::are_set() && thread.virtual_deadline > Timers::earliest()) return let_timer_go_off(program);
    thread.has_timed_out = true;
    sampler_.wake(t);
    whose_time_ran_out = t;
    return true;
  }
  return false;
}

void Testing::begin_attending() {
  vain_operations = kPatienceAtFirst;
  time_outs = last_time_out = 0;
  whose_time_ran_out = 0;
  attend_at_ = std::min(kBetweenLooks, max_operations_ + 1);
}

/// What need not be looked at in each operation.
void Testing::attend(Thread& thread) {
  if (operations_ > max_operations_) end_here(thread);
  attend_at_ = std::min(operations_ + kBetweenLooks, max_operations_ + 1);
  NativeProgram& program = *NativeProgram::instance;
  if (Outside::real_time) Outside::look_at_limits(program);
  const bool is_in_vain = in_vain_ >= vain_operations && time_outs < kMostTimeOuts, is_long = in_vain_ < kBetweenLooks && operations_ - last_time_out >= kLong;
  if (!(is_in_vain || is_long) || !let_time_run_out(program)) return;
  last_time_out = operations_;
  if (!is_in_vain) return;
  ++time_outs;
  vain_operations = std::max(kBetweenLooks, vain_operations / 2);
}

/// Memory of the heap must be in use. If nothing orders the access behind what freed it, it is a race.
void Testing::fail_on_dead_memory(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site, bool is_atomic) {
  const std::size_t races = races_.size();
  if (!is_alone_ && is_atomic) RaceShadow::note_atomic(RaceShadow::atomic_at(address, static_cast<std::uint32_t>(size)), is_write, site);
  else if (!is_alone_) RaceShadow::note(address, size, is_write, site);
  if (races_.size() > races) NativeProgram::instance->stop(engine::Cut::kBug);
  const bool is_freed = ProgramHeap::state(ProgramHeap::first_not_live(address, size)) == ProgramHeap::State::kFreed;
  fail_on_memory(is_freed ? trace::BugKind::kUseAfterFree : trace::BugKind::kOutOfBounds, address, size, is_write, site);
}

void Testing::forget_sync_objects(std::uintptr_t address, std::size_t size) {
  NativeProgram::instance->location_table().forget_sync_objects(address, size, [](std::int32_t location) {
    if (static_cast<std::size_t>(location) < locations_.size()) locations_[static_cast<std::size_t>(location)].execution = 0;
  });
}

void Testing::forget_pages(std::uintptr_t address, std::size_t size) {
  constexpr std::size_t kPage = 4096, kMostOneByOne = std::size_t{1} << 20;
  size = (size + kPage - 1) / kPage * kPage;
  if (address % kPage != 0 || size == 0 || is_heap(address)) return;
  forget_sync_objects(address, size);
  if (size > kMostOneByOne) RaceShadow::forget_pages(address, size);
  else RaceShadow::forget(address, size);
}

/// A thread that has ended went through such a fence, too, when it left its processor.
void Testing::fence_everywhere(std::uintptr_t site) {
  if (is_alone_) return;
  const auto fence_of = [&](const Thread& thread) {
    if (TestRecorder::is_on && thread.state != Thread::State::kFinished) [[unlikely]] TestRecorder::fence(thread.id, model::MemoryOrder::kSeqCst, site);
    sampler_.memory().fence(thread.id, model::MemoryOrder::kSeqCst);
  };
  Thread& thread = self();
  arrive(thread, sample::StepKind::kFence);
  fence_of(thread);
  for (int t = 0; t < NativeProgram::instance->thread_count(); ++t)
    if (const Thread& other = NativeProgram::instance->thread(t); t != thread.id && other.state != Thread::State::kUnused) fence_of(other);
  fence_of(thread);
  done(thread);
}

// --- volatile variables (volatile_access.h) ------------------------------------------------------------------------------------

bool Testing::begin_volatile(bool is_write) {
  if (is_alone_) return false;
  arrive(self(), is_write ? sample::StepKind::kStore : sample::StepKind::kLoad);
  if (is_write) in_vain_ = 0;
  done(self());
  return true;
}

void Testing::load_volatile(const Cell& cell, model::MemoryOrder order) {
  Thread& thread = self();
  require_live_object(cell, false);
  RaceShadow::Atomic& atomic = object_at(cell);
  RaceShadow::note_atomic(atomic, false, cell.site);
  if (is_watched_) [[unlikely]] look_for_watched(cell.address, cell.size, false, true, cell.site);
  const sample::StoreId from = sampler_.load_newest(thread.id, atomic.location, order);
  if (TestRecorder::is_on) [[unlikely]] TestRecorder::read({thread.id, atomic.location, order, cell.site}, sampler_.memory().store(from));
  done(thread);
}

/// Until the compiler's code has stored, the value is the old one: object_at sees then that it is another. So the store is last in
/// modification order, as it is in memory.
void Testing::store_volatile(const Cell& cell, model::MemoryOrder order) {
  Thread& thread = self();
  require_live_object(cell, true);
  RaceShadow::Atomic& atomic = object_at(cell);
  RaceShadow::note_atomic(atomic, true, cell.site);
  if (is_watched_) [[unlikely]] look_for_watched(cell.address, cell.size, true, true, cell.site);
  sampler_.store_newest(thread.id, atomic.location, sampler_.memory().last(atomic.location).value, order, TestRecorder::number(thread.id));
  atomic.unfinished = sampler_.memory().last_id(atomic.location);
  if (TestRecorder::is_on) [[unlikely]] TestRecorder::write_unfinished({thread.id, atomic.location, order, cell.site}, cell.address, cell.size);
  done(thread);
}

/// All others have ended: there is nothing to choose, but what is read belongs to the execution, and may show that it is weak (2+2W). What has been
/// stored since then is in memory only, and is not recorded; so these objects are left out.
void Testing::record_alone(const Cell& cell, model::MemoryOrder order) {
  const RaceShadow::Atomic* atomic = RaceShadow::find_atomic(cell.address, cell.size);
  if (atomic == nullptr || atomic->execution != execution_ || stored_alone_.count(cell.address) != 0 || TestRecorder::is_full_table()) return;
  const sample::Store& last = sampler_.memory().last(atomic->location);
  if (last.value != NativeProgram::instance->location_table().load(cell.address, cell.size)) return;
  const model::MemoryOrder read = order == model::MemoryOrder::kAcqRel ? model::MemoryOrder::kAcquire : order == model::MemoryOrder::kRelease ? model::MemoryOrder::kRelaxed : order;
  TestRecorder::read({self().id, atomic->location, read, cell.site}, last);
}

}  // namespace ordeal::runtime
