// The native program: real compiled code behind the engine's seam.
//
// Each thread is a fiber that runs until it calls into the runtime with an operation (abi_*.cpp, intercept_*.cpp), which
// `perform` hands to the engine; `resume` brings the result. An execution begins with everything put back: data, heap,
// stacks, thread-local storage.
//
// Identities do not depend on the interleaving: a thread is (parent, n-th child), a location an address.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/program.h"
#include "runtime/locations.h"
#include "runtime/loops/given_back.h"
#include "runtime/loops/kept_turns.h"
#include "runtime/loops/own_flags.h"
#include "runtime/loops/own_stacks.h"
#include "runtime/loops/repeated_stores.h"
#include "runtime/loops/stopped_turns.h"
#include "runtime/shadow.h"
#include "runtime/stacks.h"
#include "runtime/symmetry.h"
#include "runtime/thread.h"
#include "runtime/loops/vain_locks.h"
#include "runtime/loops/vain_turns.h"
#include "runtime/loops/waiting_places.h"
#include "trace/run_result.h"

namespace ordeal::runtime {

/// What went wrong in an execution; the first one counts.
struct Failure {
  trace::BugKind kind = trace::BugKind::kAbort;
  std::string message;
  std::uintptr_t address = 0;
  std::size_t size = 0;
  std::uint32_t site = 0;
  struct Side {
    int thread = -1;
    std::string what;
    std::uintptr_t address = 0;
    std::uint32_t stack = 0;
    std::uint32_t site = 0;
    int clock = -1;  // how many events its thread had in the graph before; -1: all that it has
    std::string file{};  // what the program itself says about the place
    std::uint32_t line = 0;
    int which = -1;  // of the threads that had its number, while a program is tested; -1: the last
  };
  std::vector<Side> sides;
};

class Milestones;

class NativeProgram final : public engine::Program {
 public:
  /// `body` is what thread 0 runs.
  NativeProgram(void (*body)(void*), void* argument);
  ~NativeProgram() override;

  // engine::Program
  void begin() override;
  int initial_threads() const override { return 1; }
  engine::Value initial_value(engine::LocationId location) const override { return locations_.initial(location); }
  int locations() const override { return locations_.count(); }
  const engine::Operation& next(engine::ThreadId thread) override;
  void resume(engine::ThreadId thread, const engine::Result& result) override;
  bool keep(int milestone) override;
  int milestones() const override;
  std::int64_t extra_cost_of_keeping() const override;
  void go_back(int milestone) override;
  void set_known_results(engine::KnownResults* results) override { known_results_ = results; }
  bool has_accessed_behind_its_last_event(engine::ThreadId thread) override;
  const engine::StoppedTurn* stopped_turn(engine::ThreadId thread) override { return stopped_turns_.of(number(thread)); }

  // For random testing (testing.h): runs the thread until it leaves; makes a child ready.
  void enter_for_testing(Thread& thread);
  void leave_for_testing(Thread& next);
  void start_for_testing(const Thread& parent, Thread& child);

  // For the runtime: the thread that runs now asks.
  const engine::Result& perform(const engine::Operation& operation, std::uintptr_t site);
  /// The same for what stands in its Thread::operation already.
  const engine::Result& perform(std::uintptr_t site);
  /// Ends the running thread's part of this execution.
  [[noreturn]] void stop(engine::Cut cut);
  /// The running thread only waits (loops/README.md): it is stopped, or gives way.
  void stop_waiting(std::uintptr_t site);
  [[noreturn]] void finish();
  /// A bug, found by the running thread, which is stopped there.
  [[noreturn]] void fail(Failure failure);
  /// The program cannot be checked at all.
  /// `parties`: who did what, if more than one place matters.
  [[noreturn]] void refuse(std::string why, std::uintptr_t site, std::vector<trace::Party> parties = {});
  /// The thread that is (the running one's n-th child), ready to run once its creation is in the graph.
  Thread& new_child(Thread& parent);
  Thread& thread(int id) { return *threads_[static_cast<std::size_t>(id)]; }
  int thread_count() const { return static_cast<int>(threads_.size()); }
  Locations& location_table() { return locations_; }
  WaitingPlaces& waiting_places() { return waiting_places_; }
  Symmetry& symmetry() { return symmetry_; }
  VainTurns& vain_turns() { return vain_turns_; }
  VainLocks& vain_locks() { return vain_locks_; }
  RepeatedStores& repeated_stores() { return repeated_stores_; }
  OwnFlags& own_flags() { return own_flags_; }
  OwnStacks& own_stacks() { return own_stacks_; }
  GivenBack& given_back() { return given_back_; }
  StoppedTurns& stopped_turns() { return stopped_turns_; }
  KeptTurns& kept_turns() { return kept_turns_; }
  const KeptTurns& kept_turns() const { return kept_turns_; }
  /// Whether the search must begin anew, and that it does.
  bool must_begin_anew() const;
  void begin_round();
  std::uint32_t stack_here(std::uintptr_t site);
  /// A notification of an atomic: it is no event, but knows what happens before it.
  struct Notification {
    std::uintptr_t address;
    int thread;
    base::ClockEntry events;  // of its thread, before it
    bool is_to_all;
  };
  void note_notification(std::uintptr_t address, bool is_to_all);
  const std::vector<Notification>& notifications() const { return notifications_; }
  bool looks_for_missing_notifications() const { return !is_yielding_; }
  /// The stack of a thread that waits for the result of its operation. REQUIRES: called by the engine.
  std::vector<trace::CodeAddress> stack_of(int thread);
  void set_exited(int code, bool main_has_returned) { exited_ = true, exit_code_ = code, main_has_returned_ = main_has_returned; }

  // For those who judge.
  const Failure* failure() const { return has_failed_ ? &failure_ : nullptr; }
  const std::string& refused() const { return refused_; }
  std::uint32_t refused_stack() const { return refused_stack_; }
  const std::vector<trace::Party>& refused_parties() const { return refused_parties_; }
  /// The process has ended by exit: who still waits then is no deadlock.
  bool has_exited() const override { return exited_; }
  /// … because main has returned. REQUIRES: has_exited().
  bool main_has_returned() const { return main_has_returned_; }
  /// Whether an exit code other than 0 is a bug.
  bool judges_exit_code() const { return judges_exit_code_; }
  int exit_code() const { return exit_code_; }
  /// By exit, or the end of main: not by _exit or quick_exit.
  bool has_ended_in_order() const;
  /// Operations of one thread in one execution, beyond which it is cut; 0: any number.
  void set_max_operations(std::uint64_t most) { max_operations_ = most; }
  /// The same, but then `has_more` is asked, which may let there be more.
  void set_max_operations(std::uint64_t most, bool (*has_more)(void* data, std::uint64_t& most), void* data) {
    max_operations_ = most;
    has_more_ = has_more;
    has_more_data_ = data;
  }
  /// The first thread that was cut for that, and where it was; nullptr: none.
  const trace::Party* cut_party() const { return cut_party_.thread < 0 ? nullptr : &cut_party_; }
  /// Waiting loops give way to the other threads, and are not stopped (a single execution).
  void set_yielding(bool on) { is_yielding_ = on, judges_exit_code_ = !on; }
  void judge_exit_code() { judges_exit_code_ = true; }
  /// Whether what this execution leaves out has others.
  bool explores_all() const { return !is_yielding_; }
  std::uint64_t operations() const { return operations_; }
  /// Stacks of events, kept while recording: by thread, in order.
  const std::vector<std::vector<std::uint32_t>>& recorded() const { return recorded_; }
  void set_recording(bool on);

  static NativeProgram* instance;
  static Thread* current;  // the thread that runs now

 private:
  void enter(Thread& thread);
  void complete(Thread& thread);
  bool goes_on_at_once(Thread& thread);
  __attribute__((noinline)) void wait_for_result(Thread& thread, std::uintptr_t site);
  void cut(Thread& thread, std::uintptr_t site);
  void start(Thread& thread);
  Thread& add_thread();
  Thread& new_child_for_testing(Thread& parent);
  static void run_thread(void* thread);
  void forget_execution();

  void (*body_)(void*);
  void* argument_;
  engine::KnownResults* known_results_ = nullptr;
  std::unique_ptr<Milestones> milestones_;
  Locations locations_;
  WaitingPlaces waiting_places_;
  Symmetry symmetry_{*this};
  VainTurns vain_turns_;
  RepeatedStores repeated_stores_{locations_};
  VainLocks vain_locks_{locations_};
  OwnFlags own_flags_;
  OwnStacks own_stacks_;
  GivenBack given_back_;
  KeptTurns kept_turns_;
  StoppedTurns stopped_turns_;
  std::vector<Thread*> threads_;
  std::vector<std::vector<int>> children_;  // thread → its children's numbers, as they ever came up
  bool asks_for_stack_ = false;
  bool has_failed_ = false;
  bool exited_ = false, main_has_returned_ = false;
  bool is_yielding_ = false, judges_exit_code_ = true;
  int exit_code_ = 0;
  std::uint64_t max_operations_ = 0;
  bool (*has_more_)(void* data, std::uint64_t& most) = nullptr;
  void* has_more_data_ = nullptr;
  trace::Party cut_party_;
  Failure failure_;
  std::string refused_;
  std::uint32_t refused_stack_ = 0;
  std::vector<trace::Party> refused_parties_;
  std::uint64_t operations_ = 0;
  std::vector<Notification> notifications_;  // of this execution
  std::vector<std::vector<std::uint32_t>> recorded_;
};

/// As far down as the thread's stack may hold anything.
std::uintptr_t used_stack_begin(const Thread& thread);
/// Clears what functions that have returned left on the running thread's stack.
void scrub_dead_stack(Thread& thread);
/// The thread does not exist (yet).
void forget(Thread& thread);
/// What a thread other than the first runs: its routine, then what belongs to the end of a thread (intercept_thread.cpp).
void run_native_thread(Thread& thread);
/// Calls the routine; a body of its own because pthread_exit unwinds to it (intercept_process.cpp).
void run_routine(Thread& thread);
/// Destructors of thread-local objects and keys, of the running thread.
void run_thread_destructors();
/// Keys and exit handlers that were there before the first execution.
void save_keys();
void restore_keys();
void forget_key_values(Thread& thread);
/// For a milestone. Returns how many keys there were before.
struct Key {
  bool is_used = false;
  void (*destructor)(void*) = nullptr;
};
void keep_keys(std::vector<Key>& image);
int restore_keys(const std::vector<Key>& image);
void save_exit_handlers();
void restore_exit_handlers();
struct ExitHandler {
  void (*run)(void*);
  void* argument;
  void (*run_with_code)(int, void*);  // of on_exit, instead
};
struct ExitHandlers {
  std::vector<ExitHandler> at_exit, at_quick_exit;
};
void keep_exit_handlers(ExitHandlers& image);
void restore_exit_handlers(const ExitHandlers& image);

}  // namespace ordeal::runtime
