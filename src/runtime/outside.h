// Waiting for what is outside the program: files, other processes, the real clock.
//
// One kernel thread runs all threads of the program, so none may wait in the kernel while others can run. A call that would wait is
// not made: its thread is blocked until the file is ready, which is looked at now and then. Only if no thread can go on, the process waits,
// for all of them at once.
//
// What threads tell each other through files orders what they do: who writes to one releases, who reads acquires, whichever file it is.
#pragma once

#include <poll.h>
#include <time.h>

#include <cstdint>
#include <cstdio>

namespace ordeal::runtime {

class NativeProgram;

class Outside {
 public:
  /// Clocks and sleeps are the system's; otherwise time is virtual (virtual_time.h).
  static inline bool real_time = false;
  static inline std::int64_t virtual_time = 0;
  /// Whether a thread waits.
  static inline int waiting = 0;
  /// Its address is the location of what is said through files.
  static constexpr char kFiles = 0;
  /// A thread has done something to a file: who waits should look.
  static inline bool is_changed = false;

  // --- for calls of the running thread. All but the last return at once if it is the only thread ---------------------------------
  /// Before a call that would wait for this file; `events` as in poll. False: a signal ends the call, with EINTR.
  static bool wait_for_file(int file, short events);
  enum class Wait : std::uint8_t { kReady, kTimeOut, kInterrupted };
  /// Deadline 0: there is none.
  static Wait wait_for_files(const pollfd* files, nfds_t count, std::int64_t deadline);
  /// It is not known for what: it will look again. False: a signal ends the call, with EINTR.
  static bool wait_a_little();
  /// False: a handler has run, which ends it.
  static bool sleep_until(std::int64_t deadline);
  static void release(std::uintptr_t site);
  /// The same before a function of stdio that may write, if the file is no ordinary one and none of the first three.
  static void release_before_output(std::FILE* file, std::uintptr_t site);
  static void acquire(std::uintptr_t site);

  // --- for testing.h -----------------------------------------------------------------------------------------------------------
  static void begin();
  /// Those who waited are not there.
  static void forget_waits();
  /// This one goes on.
  static void forget_wait(int thread);
  /// False: there is nobody.
  static bool wake_for_signals(NativeProgram& program);
  /// Wakes who can go on. `waits`: nobody can, so that the process waits; false: nobody comes, for long.
  static bool look(NativeProgram& program, bool waits);
  /// The same if somebody waits for a lock or a notification until some time, while others go on.
  static void look_at_limits(NativeProgram& program);

  /// Nanoseconds of the system's monotonic clock.
  static std::int64_t now();
  /// Such a time from one that the program gave, of its real-time or monotonic clock.
  static std::int64_t deadline_of(const timespec* time);
  static std::int64_t deadline_in(std::int64_t nanoseconds);
};

}  // namespace ordeal::runtime
