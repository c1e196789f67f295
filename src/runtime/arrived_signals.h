// Signals that the system sends to the program: because of a pipe that nobody reads, of a child that has ended, or for another process.
//
// The system's handler only notes them. What the program has said is done by one of its threads: behind the call of the system that it makes, where
// it waits for what is outside, or before its next operation. Faults, the watchdog's timer and Ctrl-C are ours, and not seen here.
#pragma once

#include <signal.h>

#include <cstdint>

namespace ordeal::runtime {

class ArrivedSignals {
 public:
  static bool are_there() { return are_there_; }
  /// SIGPIPE is noted from now on, in any process: it would end the test.
  static void install();
  /// What the program wants of this signal has changed: what the system does is to fit. `is_noted`: a handler is to run, or the signal is blocked.
  static void follow(int signal, bool is_noted, bool is_ignored);
  /// Some of the program's timers (timers.h): they are received with those that have arrived.
  static void note_more();
  /// None has arrived, and the system does what it did in the beginning.
  static void forget();
  /// Does what they ask for, in the running thread, which makes or has made a call that the signal may have interrupted.
  static void receive_all(std::uintptr_t site);
  /// A handler of the program runs now; `starts_again`: calls that it interrupts do (SA_RESTART).
  static void note_handled(bool starts_again);
  /// Whether a call that waits ends with EINTR, because handlers have run in the running thread since this was last asked. Most calls start again if the handler says so.
  enum class Call : std::uint8_t { kStartsAgain, kEnds };
  static bool is_interrupted(Call call);

 private:
  static void note(int signal, siginfo_t* info, void* context);
  static volatile bool are_there_;
};

}  // namespace ordeal::runtime
