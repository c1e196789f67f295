// pthread_cancel. A thread that is to end does so at its next cancellation point, or where it waits in one: it leaves as by pthread_exit, through its cleanup
// handlers.
#pragma once

#include "runtime/access.h"

namespace ordeal::runtime {

class Cancellation {
 public:
  /// Of the running thread.
  static bool is_wanted() { return NativeProgram::current->is_cancelled && !NativeProgram::current->is_cancel_disabled; }
  /// The running thread ends here, if it is to.
  static void point() {
    if (is_checked() && is_wanted()) [[unlikely]] leave();
  }
  [[noreturn]] static void leave();
};

/// While the running thread waits in a cancellation point, for another one: the wait ends, and is_interrupted is set.
class Cancellable {
 public:
  Cancellable() : thread_(*NativeProgram::current) {
    thread_.may_be_cancelled = true;
    thread_.is_interrupted = false;
  }
  ~Cancellable() { thread_.may_be_cancelled = false; }
  Cancellable(const Cancellable&) = delete;
  Cancellable& operator=(const Cancellable&) = delete;
  bool has_ended() const { return thread_.is_interrupted && Cancellation::is_wanted(); }

 private:
  Thread& thread_;
};

}  // namespace ordeal::runtime
