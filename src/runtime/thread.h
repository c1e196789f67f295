// A thread of the program, as the runtime keeps it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/operation.h"
#include "runtime/bounds.h"
#include "runtime/digest.h"
#include "runtime/fiber.h"
#include "runtime/layout.h"
#include "runtime/loops/kept_trace.h"
#include "runtime/loops/step.h"
#include "runtime/thread_mask.h"

namespace ordeal::runtime {

/// Random testing (testing.h), not the exhaustive search.
inline bool is_testing = false;

/// Signals 1 to 64, a bit each (signals.h).
using SignalMask = std::uint64_t;

/// A plain write that the program is about to make, to a location that the graph knows: its value is in memory only at the
/// next call into the runtime.
struct PendingWrite {
  std::uintptr_t address = 0;
  std::size_t size = 0;
  std::uintptr_t site = 0;
};

struct ThreadDestructor {
  void (*run)(void*);
  void* object;
};

/// See intercept_random.cpp.
struct RandomState {
  bool is_seeded = false;
  int at = 0;
  std::uint32_t words[31] = {};
};

/// See symmetry.h: an access between the creations of threads.
struct SeenAccess {
  Range range;
  bool is_write;
};
/// Likewise: what a thread begins with, besides the pointer that is its argument.
struct ThreadStart {
  Range block;  // of the heap, if the argument points to one
  Digest content, others;
};

/// A function that has begun and not returned (abi_plain.cpp).
struct ActiveFunction {
  std::uintptr_t stack;   // where its part of the stack ends
  std::uintptr_t caller;  // where it returns to
};

/// What other threads have accessed of a stack; `begin` is 0: nothing. (lent_stack.h)
struct LentStack {
  std::uintptr_t begin = 0, end = 0;
};

/// An addition to a watched object (given_back.h). Its write and the one that it read have the names of engine::Result::source.
struct WatchedAdd {
  std::int64_t event = 0, source = 0;
  std::uintptr_t site = 0;
  bool is_used = true;  // what it gave may be looked at
};

/// Where a thread stands in an execution, except for what is of variable size.
struct ThreadPosition {
  enum class State : std::uint8_t { kUnused, kReady, kRunning, kFinished };

  int parent = -1;
  int children = 0;  // created so far in this execution
  State state = State::kUnused;
  bool is_detached = false;
  bool asks_for_more_stack = false;  // than it has (layout.h)
  bool is_joined = false;
  bool is_helper = false;  // it is ours, and waits until the program ends (timers.cpp)
  bool is_promised = false;  // testing: it is just being created, or joined: its number is not free
  bool waits_with_time_limit = false;  // it would give up some time: no deadlock
  bool has_timed_out = false;          // … and is to do so now (testing.h)
  std::int64_t virtual_deadline = 0;   // … or at this one of the virtual clock; 0: it is not known
  std::int64_t deadline = 0;           // … at this time of the real clock, if that counts (outside.h); 0: none
  bool is_alone = false;     // there is no other thread, and what others did happens before what it does

  Fiber fiber;
  engine::Operation operation;
  std::uintptr_t site = 0;   // of the operation
  std::uint32_t stack = 0;   // of the operation, while recording

  void* (*routine)(void*) = nullptr;
  void* argument = nullptr;
  void* returned = nullptr;

  int width = 0;
  PendingWrite pending;
  std::uintptr_t seen_cell = 0;     // address and size, of the latest atomic operation that read
  engine::Value seen_value = 0;
  std::uint64_t operations = 0;  // in this execution
  std::uint64_t yields = 0;      // in this execution
  int spurious_wake_ups = 0;
  bool has_handled_signal = false, must_end_call = false;  // since it was last asked (arrived_signals.h)
  bool may_be_interrupted = false, is_interrupted = false;  // its wait ends if a handler has run that says so; it has (testing.h)
  bool is_cancelled = false, is_cancel_disabled = false, is_cancel_asynchronous = false;  // cancellation.h
  bool may_be_cancelled = false;                                                          // its wait ends then
  SignalMask blocked_signals = 0;
  std::uint64_t handled_signals = 0;  // so many handlers have run in it
  void* handlers = nullptr;           // those that run, the innermost one (signals.cpp)
  int ignored_reads = 0, ignored_writes = 0;  // it asked not to check them, so many times (annotations.h)
  std::uintptr_t rethrown = 0;                // the exception that it has rethrown from a pointer, and not let go of (intercept_exception.cpp)
  char name[16] = {};     // pthread_setname_np; empty: that of the program
  std::int64_t time = 0;  // of its own clock, in nanoseconds (virtual_time.h)

  ThreadMask unaware_of = 0;           // threads with events that may have caused what it does, but do not happen before it
  base::ClockEntry last_plain = 0;     // the thread's events before its last plain access
  base::ClockEntry last_shared = 0;    // … to memory that others may see,
  std::uint64_t shared_accesses = 0;   // … and how many there were of these

  std::int32_t held_robust = -1;  // the robust mutex that it took last: a location
  std::uint32_t futex_mask = 0;   // of the futex at which it waits

  LentStack lent;
  std::uintptr_t exit_stack = 0;    // where it stood when it ended the process in an orderly way; 0: it did not
  std::uintptr_t unwind_end = 0;    // the frame that pthread_exit unwinds to
  alignas(16) unsigned char unwinding[32] = {};  // the exception with which it does: others may do so at the same time
  std::uintptr_t lowest_stack = 0;  // how far down the stack was seen to go
  int destructor_count = 0;

  // symmetry.h
  int group = -1;            // of symmetric threads: the first of them, which may be the only one
  int place_in_group = 0;    // from 1
  int group_size = 0;        // of the first
  bool knows_itself = false; // it asked
  ThreadStart start;
  int last_child = -1;
  int window = -1;           // not negative: it created the last of this group, and has had no operation since
  base::ClockEntry clock_of_creation = 0;
  int joining = -1;          // the group of which it has joined some, but not all
  int joined = 0;
};

struct Thread : ThreadPosition {
  int id = 0;
  int same_since = 0;  // it stands where it stood at this milestone and all behind it
  engine::Result result;
  base::ClockEntry hb[kMaxThreads] = {};  // what it knows of each thread; hb[id]: its own events
  LoopTrace spin;
  KeptTrace kept;
  std::vector<base::ClockEntry> effects;  // atomic writes that change something, in this execution: how many events it had made with each (vain_turns.h)
  std::vector<WatchedAdd> adds;           // likewise
  std::vector<PlaceHistory> places;  // while there are bounds
  RandomState random;
  std::vector<SeenAccess> window_accesses;  // symmetry.h
  std::vector<ActiveFunction> frames;
  ThreadDestructor destructors[256] = {};
  std::vector<ThreadDestructor> more_destructors;  // of random testing, behind those
  void* keys[1024] = {};
};

}  // namespace ordeal::runtime
