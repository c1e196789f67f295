// What a program may change inside libc and the kernel, where the snapshot does not reach, put back before each execution: the
// environment, the locale, the working directory, the file mode mask, signal handlers (intercept_signal.cpp).
// Random numbers are ours (intercept_random.cpp), thread-local state (errno) goes with the thread's storage.
#pragma once

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
bool are_signals_unchanged();

}  // namespace ordeal::runtime
