// The program's timers: alarm, setitimer, timer_create, timerfd (intercept_timer.cpp). They go off when the clock that counts reaches them: the virtual one, which moves with looks at it and sleeps, and
// runs on to the next timer when no thread can go on (Testing::run); or the real one.
//
// The kernel has none of them: its timer for the process is the watchdog's, and its clocks are not those that the program sees.
#pragma once

#include <signal.h>
#include <time.h>

#include <cstdint>

#include "runtime/signals.h"

namespace ordeal::runtime {

class Timers {
 public:
  enum class Kind : std::uint8_t { kNone, kSignal, kThread, kFile };
  struct Callback {
    void (*run)(sigval);
    sigval value;
  };
  struct Timer {
    Kind kind = Kind::kNone;
    siginfo_t info{};                     // what its signal says
    int thread = Signals::kAnyThread;     // for whom
    Callback callback{};
    int file = -1;
    std::uint64_t ticks = 0;              // of a file, that nobody has read
    bool is_used = false;
    int overruns = 0;
    std::int64_t deadline = 0, interval = 0;  // deadline 0: it is not set
  };
  /// How long until it goes off, and then again; 0: never.
  struct Setting {
    std::int64_t in = 0, interval = 0;
  };
  /// Number 0 is that of alarm and setitimer.
  static constexpr int kOfProcess = 0;
  static int add(const Timer& timer, std::uintptr_t site);
  /// nullptr: there is none.
  static Timer* find(int number);
  static int find_file(int file);
  static void remove(int number);
  static void set(int number, const Setting& setting);
  static Setting setting_of(int number);

  /// Whether any is set that does something when it goes off.
  static bool are_set() { return set_ != 0; }
  /// Of the clock that counts. REQUIRES: are_set().
  static std::int64_t earliest();
  static std::int64_t now();
  /// Those whose time has come go off. True: a thread may have to do something about it.
  static bool look();
  /// Time runs on to the first. False: none is set, or time is real.
  static bool let_first_go_off();
  /// A signal of one that has gone off, which is taken; false: there is none.
  static bool take_signal(Signals::Signal& signal);
  static void forget();
  /// A thread has made no operation for so long, in real time: whether it is to look at them. (Called by a handler of the system.)
  static void note_idle(double seconds);
  static bool is_asked() { return is_asked_; }
  static void answer();
  /// That of the process goes on in a program that is started in its place; and back, if that fails.
  static void give_to_system();
  static void take_from_system();

 private:
  static bool go_off(int number, std::int64_t time);
  static void count();
  static int set_;
  static volatile bool is_asked_;
  static volatile std::int64_t first_;  // the earliest, for the handler
};

}  // namespace ordeal::runtime
