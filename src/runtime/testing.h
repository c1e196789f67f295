// Random testing: the program's threads run one at a time, a strategy decides at each operation who goes on and what it reads
// (src/sample). An operation is done in place, on the stack of its thread; only to switch threads the engine's stack is entered.
//
// The exhaustive search sees the same operations through NativeProgram::perform. Atomic and plain accesses, of which whole programs
// make millions, come here directly.
//
// Memory holds what is last in modification order. If an atomic object's memory holds something else, it was written plainly: it is
// another object from then on.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "runtime/access.h"
#include "runtime/heap.h"
#include "runtime/lent_stack.h"
#include "runtime/annotations.h"
#include "runtime/race_shadow.h"
#include "runtime/test_recorder.h"
#include "sample/sampler.h"

namespace ordeal::runtime {

class Testing {
 public:
  /// Runs one execution. REQUIRES: is_testing.
  enum class Ending : std::uint8_t { kComplete, kDeadlock, kNoProgress, kFailed, kCut };
  struct Execution {
    std::uint64_t seed = 0, number = 0;
    std::uint64_t max_operations = 0;  // in all; 0: any number
  };
  static Ending run(NativeProgram& program, sample::Strategy& strategy, const Execution& execution);

  // --- for the entry points, with the program running ------------------------------------------------------------------------
  static model::Value load(const Cell& cell, model::MemoryOrder order);
  static void store(const Cell& cell, model::Value value, model::MemoryOrder order);
  static model::Value rmw(const Cell& cell, model::RmwFunction function, model::Value operand, model::MemoryOrder order);
  static bool compare_exchange(const Cell& cell, CompareExchange& exchange);
  static model::Value await(const Cell& cell, model::Value old, model::MemoryOrder order);
  /// What the running thread last read, if it was there; otherwise it loads.
  static model::Value last_seen(const Cell& cell);
  /// atomic::wait and its notifications (testing_waits.cpp).
  static void wait(const Cell& cell, model::Value old, model::MemoryOrder order);
  static void notify(std::uintptr_t address, bool all);
  static void fence(model::MemoryOrder order, std::uintptr_t site);
  /// membarrier: a seq_cst fence of every thread, wherever it is, between two of the running one.
  static void fence_everywhere(std::uintptr_t site);
  /// Memory of the heap must be in use.
  [[gnu::always_inline]] static void require_live_memory(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site, bool is_atomic = false) {
    if (is_heap(address)) {
      if (size != 0 && ProgramHeap::first_not_live(address, size) != 0) [[unlikely]] fail_on_dead_memory(address, size, is_write, site, is_atomic);
    } else if (is_stack(address) && (address - kStackBase) / kStackStride != static_cast<std::size_t>(self().id)) {
      check_stack(address, size, is_write, site);
    }
  }
  static void read(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
    require_live_memory(address, size, false, site);
    if (is_alone_) return;
    if (is_watched_ || is_counting_) [[unlikely]] look_at_plain(address, size, false, site);
    RaceShadow::note(address, size, false, site);
  }
  static void write(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
    require_live_memory(address, size, true, site);
    if (is_alone_) return;
    if (is_watched_ || is_counting_) [[unlikely]] look_at_plain(address, size, true, site);
    RaceShadow::note(address, size, true, site);
  }
  /// One that the shadow does not have yet. (What it has was there then, and what is freed is marked.)
  __attribute__((noinline)) static void note_plain(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site) {
    require_live_memory(address, size, is_write, site);
    RaceShadow::note_new(address, size, is_write, site);
  }
  static void note_freed(std::uintptr_t address, std::size_t size, std::uintptr_t site);
  /// The running thread was given this block. (That it counts as written is the heap's to note.)
  static void note_allocated(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
    if (is_watched_ && !is_alone_) [[unlikely]] look_for_watched(address, size, true, false, site, true);
  }
  static void note_use(const void* object, std::uintptr_t site);
  /// For volatile_access.h: a step of the running thread; false: it is alone. Then it may be an atomic access, of the newest value. What
  /// is stored is not known before it is in memory.
  static bool begin_volatile(bool is_write);
  static void load_volatile(const Cell& cell, model::MemoryOrder order);
  static void store_volatile(const Cell& cell, model::MemoryOrder order);
  /// Any operation, of the running thread, which stands in Thread::operation.
  static void perform(Thread& thread);
  static void yield();
  /// Something has changed that a thread may wait for: time, files.
  static void note_change() { in_vain_ = 0; }
  /// After so many operations that change nothing, by all threads, and so many for each that could go on, the execution ends: they
  /// wait for ever. If not all come back to the same state (repetition.h), it is more that they may do.
  static constexpr std::uint64_t kMostInVain = 300'000, kMostInVainOfOne = 75'000, kMostCounting = 10'000'000;
  /// After so many, a thread is taken to wait for others: a strategy that prefers it must not be what keeps them waiting.
  static constexpr std::uint64_t kShowsThatItWaits = 1000;
  /// From here on threads take turns, whatever the strategy says: with hundreds of them it may never choose the one that all wait for.
  static constexpr std::uint64_t kTakesTurns = 100'000;
  /// These pages are mapped anew, or no more: what was done there is no longer of interest.
  static void forget_pages(std::uintptr_t address, std::size_t size);
  /// The thread waits for something outside (outside.h), until it is woken.
  static void wait_outside(Thread& thread, std::uintptr_t site = 0);
  static void wake(int thread) { sampler_.wake(thread); }
  /// A signal has come for this thread: if it waits, it goes on, and looks (signals.h).
  static void interrupt(int thread);
  static bool is_left_behind(int thread) { return sampler_.is_left_behind(thread); }
  /// This process is a copy that the running thread has made (forked.h): the others are not there, and what they did is known.
  static void leave_others_behind();
  /// Of those who are there. REQUIRES: called by the engine, at the end of an execution.
  static bool have_all_ended();
  static bool is_alone() { return is_alone_; }
  /// Of a sync object: its state.
  static model::Value state_of(const model::Access& access) { return sampler_.memory().last(location_of(access)).value; }
  static std::uint32_t who_wakes(std::uint32_t among) { return sampler_.answer(sample::Question::kWhoWakes, among); }
  /// A number for a new thread that others had before, or -1: a new one. Those of threads that have ended, and of whose end the
  /// parent knows, if they hold no lock: nothing is lost by calling both the same. Others only if there are too many.
  static int find_number(NativeProgram& program, const Thread& parent);
  /// All other threads have been joined, or there are others again.
  static void set_alone(bool alone) {
    is_alone_ = alone;
    RaceShadow::is_watching = !alone;
    ordeal_plain_state.set_noted(!alone && !is_watched_ && !is_counting_ && !Annotations::ignores);
  }
  /// Some accesses are not to be checked (annotations.h).
  static void note_ignoring() { ordeal_plain_state.set_noted(false); }

  // --- for those who judge ---------------------------------------------------------------------------------------------------
  struct Race {
    std::uintptr_t address;  // what both access
    std::size_t size;
    RaceAccess access, other;
    std::uint32_t stack, other_stack;  // stacks.h
    TestRecorder::Place place;         // of the access
  };
  /// Those of this execution, each pair of places once. REQUIRES: read before the next begins.
  static const std::vector<Race>& races() { return races_; }
  /// The stack of a thread that waits. REQUIRES: called by the engine, at the end of an execution.
  static std::uint32_t stack_of(NativeProgram& program, int thread);
  /// Whether the thread, which runs, does not wait. REQUIRES: called at the end of an execution.
  static bool can_go_on(int thread) { return sampler_.is_ready(thread); }
  /// Whether a thread waits for a notification of an object that has changed. REQUIRES: called at the end of an execution.
  enum class Lost : std::uint8_t { kNo, kUnnotified, kPassedOver };
  static Lost why_lost(int thread);
  /// Why the execution was cut; nullptr: by the bound on its operations. REQUIRES: it was.
  static const char* why_cut() { return why_cut_; }
  /// Of an execution that was cut: kBound by the limit of operations (or the watchdog), else why its last thread stopped.
  static engine::Cut cut() { return cut_; }
  /// How many operations an execution may make, if so many were asked for; 0: nothing was.
  static std::uint64_t limit(std::uint64_t asked);
  static std::uint64_t operations() { return operations_; }
  static std::uint64_t atomics() { return atomics_; }
  static bool window_was_used() { return sampler_.memory().window_was_used(); }
  /// While this execution is run again: the stack of the other access of this race is wanted, the last one before the race.
  static void watch(const Race& race);
  static void stop_watching() { is_watched_ = false; }
  static std::uint32_t watched_stack() { return watched_stack_; }
  static std::uint32_t watched_site() { return watched_.site; }
  static const TestRecorder::Place& watched_place() { return watched_place_; }
  /// All that it accessed. REQUIRES: watched_stack() != 0.
  static std::uintptr_t found_address() { return found_address_; }
  static std::size_t found_size() { return found_size_; }
  static bool found_allocation() { return found_allocation_; }

 private:
  static Thread& self() { return *NativeProgram::current; }
  static void arrive(Thread& thread, sample::StepKind kind);
  static void arrive_here(Thread& thread, sample::StepKind kind);
  static void take_turns(Thread& thread);
  static void set_counting(bool counting) {
    is_counting_ = counting;
    set_alone(is_alone_);
  }
  static void look_at_plain(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site);
  [[noreturn]] static void end_here(Thread& thread);
  static void leave(Thread& thread);
  static void leave_for_chosen(Thread& thread);
  static void switch_to_chosen(Thread& thread);
  static void done(Thread& thread);
  static RaceShadow::Atomic& object_at(const Cell& cell);
  static void finish_store(const Cell& cell, const RaceShadow::Atomic& atomic);
  static void check_initialised(const RaceShadow::Atomic& atomic, sample::StoreId from, const Cell& cell);
  static void forget_stack(int thread, std::size_t pages);
  static void require_live_object(const Cell& cell, bool is_write) { require_live_memory(cell.address, cell.size, is_write, cell.site, true); }
  [[noreturn]] static void fail_on_dead_memory(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site, bool is_atomic);
  static void forget_sync_objects(std::uintptr_t address, std::size_t size);
  static sample::Memory::LocationId location_of(const model::Access& access);
  static bool try_perform(Thread& thread, engine::Operation& operation);
  static void record_alone(const Cell& cell, model::MemoryOrder order);
  static void record_rmw(const Thread& thread, sample::Memory::LocationId location, const model::Access& access, const sample::Sampler::Rmw& result, std::uintptr_t site);
  static bool perform_rmw(Thread& thread, engine::Operation& operation);
  static void record_await(const Thread& thread, sample::Memory::LocationId location, const model::Access& access);
  static bool perform_await(Thread& thread, engine::Operation& operation);
  static bool is_interrupted(Thread& thread);
  static model::Value note_seen(Thread& thread, const Cell& cell, model::Value value);
  static void stand_still(const Cell& cell, model::Value old, model::MemoryOrder order);
  struct Standing {  // a thread that waits for a notification
    int thread;
    std::uintptr_t address;
    unsigned size;
    model::Value old;
    bool is_passed_over = false;  // a notification that could have chosen it has chosen another
  };
  static bool has_changed(const Standing& standing);
  static void note_race(std::uintptr_t address, std::size_t size, const RaceAccess& access, RaceAccess other);
  static bool is_watched(int thread, sample::Tick tick) { return thread == watched_.thread && tick - sampler_.memory().base() == watched_.tick; }
  static void look_for_watched(std::uintptr_t address, std::size_t size, bool is_write, bool is_atomic, std::uintptr_t site, bool is_allocation = false);
  static bool let_time_run_out(NativeProgram& program);
  static void begin_attending();
  static void attend(Thread& thread);
  static bool let_timer_go_off(NativeProgram& program);

  static sample::Sampler sampler_;
  static int outside_;           // threads that wait for what is outside
  static const char* why_cut_;
  static engine::Cut cut_;
  static bool is_alone_, is_over_, is_watched_, asks_for_stack_;
  static bool is_counting_;      // nothing has changed for long: plain writes are looked at (repetition.h)
  static std::uint64_t execution_, operations_, atomics_, max_operations_;
  static std::uint64_t timers_, timers_in_vain_;  // that went off because nobody could go on, or all went round loops
  static constexpr std::uint64_t kMostTimersInVain = 1000;
  static constexpr const char* kTimersInVain = "all threads wait, and timers go off again and again";
  static std::uint64_t in_vain_;       // operations since something changed
  static std::uint64_t attend_at_;     // the operation at which `attend` is called
  static bool waits_for_ever_;         // the execution has ended, because of them
  static std::map<sample::Memory::LocationId, sample::Published> released_by_writers_;  // of read-write locks
  static sample::Sampler::Rmw lock_shared(Thread& thread, sample::Memory::LocationId location, model::Access access);
  struct Known {
    std::uint64_t execution = 0;
    std::uint32_t location = 0;
  };
  static std::vector<Known> locations_;  // of sync objects, by their number in the table of locations
  static std::vector<Race> races_;
  static std::vector<Standing> standing_;
  static std::set<std::uintptr_t> stored_alone_;  // while it is recorded: objects whose last store was made by a thread that was alone
  static RaceAccess watched_, watched_for_;  // the one that is looked for, and the one that races with it
  static std::uintptr_t watched_address_, found_address_;
  static std::size_t watched_size_, found_size_;
  static bool found_allocation_;
  static std::uint32_t watched_stack_;
  static TestRecorder::Place watched_place_;
};

}  // namespace ordeal::runtime
