// Signals inside the program: which threads block them, which are pending and for whom, and what is done about them.
//
// The kernel never hears of those that the program sends to itself. One that the running thread may take is handled at once. Another thread takes it
// before its next operation, or where it waits: it is woken, its handler runs, and it waits on, or is told EINTR where POSIX says so.
#pragma once

#include <signal.h>

#include <cstdint>

#include "runtime/thread.h"

namespace ordeal::runtime {

constexpr int kSignals = 65;
inline bool is_signal(int signal) { return signal > 0 && signal < kSignals; }
inline SignalMask signal_bit(int signal) { return SignalMask{1} << (signal - 1); }
SignalMask mask_of_set(const sigset_t& set);
void put_mask(SignalMask mask, sigset_t* set);

class Signals {
 public:
  static constexpr int kAnyThread = -1;
  /// By whom: the program itself, or the system (for a timer, a child, another process).
  enum class Sender : std::uint8_t { kProgram, kSystem };
  struct Signal {
    int number;
    int thread;  // for which; kAnyThread: for the process
    siginfo_t info;
    Sender sender = Sender::kProgram;
  };
  static siginfo_t info_of(int signal, int code);

  /// Some are pending that a thread may take.
  static bool are_there() { return are_there_; }
  /// … that the running thread may take, or that have just arrived: it must not begin to wait.
  static bool must_look();
  static void send(const Signal& signal, std::uintptr_t site);
  /// The running thread handles what is pending for it and not blocked.
  static void deliver(std::uintptr_t site);
  static void set_mask(SignalMask mask, std::uintptr_t site);
  /// Those that are pending, for the running thread.
  static SignalMask pending();
  /// sigwait: one of these, which is taken. `info` may be nullptr. 0: a handler has run, or the time is over.
  enum class Until : std::uint8_t { kTaken, kTakenOrHandled };
  static int wait_for(SignalMask wanted, siginfo_t* info, Until until, std::uintptr_t site);
  /// sigsuspend: with this mask until a handler has run.
  static void suspend(SignalMask mask, std::uintptr_t site);

  static const struct sigaction& action(int signal);
  static bool is_pending_of_timer(int timer);
  static void set_action(int signal, const struct sigaction& action);
  static bool has_handler(int signal);
  static bool is_ignored(int signal);
  /// Something has changed that must be put back before the next execution.
  static void note_change();
  /// A new execution, or a process that was forked: nobody waits, and none is pending.
  static void forget();
  /// The running thread leaves the handlers whose frames are below this one, by a jump. `restores_mask`: as it was before them.
  static void leave_handlers(std::uintptr_t stack, bool restores_mask);

 private:
  static void handle(const Signal& signal, std::uintptr_t site);
  static void look_again();
  static bool are_there_;
};

/// While a handler runs in the middle of an operation of the running thread, which goes on then.
class Interlude {
 public:
  Interlude();
  ~Interlude();
  Interlude(const Interlude&) = delete;
  Interlude& operator=(const Interlude&) = delete;

 private:
  Thread& thread_;
  engine::Operation operation_;
  std::uintptr_t site_;
  std::int64_t deadline_;
  int error_;
  bool waits_with_time_limit_, has_timed_out_, may_be_interrupted_, may_be_cancelled_;
};

}  // namespace ordeal::runtime
