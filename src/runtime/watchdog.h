// The watchdog looks at the running program several times a second, from a signal handler, and stops what would not end:
// a thread that makes no operation for too long, and everything once the search is over (--time, Ctrl-C).
//
// A thread can be stopped where it is only in the program's own code, or in libc on its behalf. In ours a table may be half
// changed, a lock of the host's heap held, a stack about to be walked: there it is asked to stop, and does so at its next
// access, allocation or operation (flush_pending_write).
#pragma once

#include <cstdint>

namespace ordeal::runtime {

class Watchdog {
 public:
  enum class Over : std::uint8_t { kNot, kTime, kInterrupt };

  /// `idle_seconds` without any operation: a bug. `time_limit`, in seconds: the search is over. 0: never, for both.
  /// `takes_interrupts`: Ctrl-C ends the search; a second one the process.
  static void start(double idle_seconds, double time_limit, bool takes_interrupts);
  static void stop();

  /// Why the search is to end now.
  static Over over() { return over_; }
  static bool is_over() { return over_ != Over::kNot; }
  /// The same, to be looked at often. It changes at any time. Also once the search has been given up, until it is taken up again.
  static const volatile bool& over_flag() { return over_flag_; }
  static void give_up() {
    is_given_up_ = true;
    over_flag_ = true;
  }
  static void take_up() {
    is_given_up_ = false;
    over_flag_ = is_over();
  }

  /// While an execution is recorded the search is not over, and only a thread that is known to run without end is stopped.
  static void begin_recording(bool runs_without_end);
  static void end_recording();

  /// To be called often by the running thread in our code, where it can be stopped.
  static void stop_if_wanted() {
    if (wants_stop_) [[unlikely]] stop_if_still_wanted();
  }
  /// A signal has arrived for the program, which is to look at once (arrived_signals.h).
  static void ask_to_look() { wants_stop_ = true; }
  /// Around a system call that the running thread makes through us: it may be stopped there.
  static void enter_call() { is_in_call_ = true; }
  static void leave_call() { is_in_call_ = false; }

 private:
  static void look(int signal, void* context);
  static void stop_if_still_wanted();
  [[noreturn]] static void stop_thread(std::uintptr_t site);

  static volatile Over over_;
  static volatile bool over_flag_, is_given_up_;
  static volatile bool wants_stop_;  // or to look at signals
  static volatile bool must_stop_;
  static volatile bool is_in_call_;
};

}  // namespace ordeal::runtime
