// What a program may change inside libc and the kernel, where the snapshot does not reach, put back before each execution: the
// environment, the locale, the working directory, the file mode mask, where getopt stands, signal handlers (intercept_signal.cpp).
// Random numbers are ours (intercept_random.cpp), thread-local state (errno) goes with the thread's storage.
#pragma once

#include <cstdint>

namespace ordeal::runtime {

class LibcState {
 public:
  /// REQUIRES: once, before the first execution.
  static void save();
  static void restore();
  /// Whether all of it is as it was at first.
  static bool is_unchanged();
};

/// Whether the program has a handler of its own for this signal now.
bool has_signal_handler(int signal);
void restore_signal_handlers();
/// Threads that wait for any signal look again; false: there are none.
bool wake_who_waits_for_signals();
bool is_signal_awaited();
bool are_signals_unchanged();
/// In a process that was forked, which has one thread: nobody waits for a signal, and none is pending.
void forget_waits_for_signals();
/// Which signals are blocked and ignored, as the program has said, for a program that is started in its place; and back, if that fails.
void give_signals_to_system();
void take_signals_from_system();

}  // namespace ordeal::runtime
