// Races with turns in vain.
//
// A thread that goes round a waiting loop in vain is stopped there (loops/README.md), and nobody learns what comes after it has left the loop
// behind such a turn. In all else that is as without the turn, but an access in it may be in a race:
//
//     thread 1: while (flag.load(relaxed) == 0) sink = data;      thread 2: flag = 1;
//               done.store(1, relaxed);                                     while (done.load(relaxed) == 0) {}
//                                                                           data = 1;
//
// Let a be an access in a turn in vain of thread t that is in a race with w, and l the load by which t leaves the loop. If w does
// not come from l by po ∪ rf, there is an execution in which t waits for ever behind its turn and w is made: the race is found there. If l
// happens before w, there is no race. So w is made by a thread that is *unaware* of t: it comes from an event of t that does
// not happen before it. That is rare, cheap to see, and does not depend on the turn.
//
// Both are remembered beyond the execution (shadow.h), whichever comes first. Where they meet nothing is reported. The search begins anew, and the thread makes a turn in vain there: then the race is found in a real execution, or it is not there.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/shadow.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

class VainTurns {
 public:
  /// Off by default: nothing is noted.
  void set_on(bool on) { is_on_ = on; }

  /// The thread is about to be stopped: it went round in vain since its step `first`, before which it had `events` events, until it had `end`.
  void note(const Thread& thread, int first, base::ClockEntry events, base::ClockEntry end = std::numeric_limits<base::ClockEntry>::max());
  /// What an operation of the thread, which has its result, comes from.
  void note_causes(const Thread& thread, Step& step) const {
    step.causes.clear();
    if (are_there_) collect_causes(thread, step);
  }
  /// Somebody who is unaware of a thread has accessed what that accessed in a turn in vain, or else that is not known yet.
  void look_for_races();

  /// The thread tries to take a lock: others make their turns in which they lock something, as often as there are tries (vain_locks.h).
  void note_try(Thread& thread) {
    if (is_on_ && ++thread.spin.tries > tries_of(thread.id)) add_try(thread);
  }

  /// Whether the thread goes round in vain there, having done so `before` times.
  bool are_made(int thread, std::uintptr_t site, int before = 0) const { return !made_.empty() && times_made({thread, site}) > before; }

  /// Whether other threads try to take locks: then turns with locks in them are made.
  bool are_made_for_tries(int thread) const {
    for (std::size_t t = 0; t < tries_.size(); ++t)
      if (t != static_cast<std::size_t>(thread) && tries_[t] != 0) return true;
    return false;
  }

  /// Whether there are any with more than the load that waits: only then it is of interest who is unaware of whom. The search begins
  /// anew when the first is found.
  bool are_there() const { return are_there_; }
  bool must_begin_anew() const { return must_begin_anew_; }
  void begin_round();

 private:
  struct Place {
    int thread;
    std::uintptr_t site;
    bool operator==(const Place&) const = default;
  };
  struct Look {
    const Shadow::Granule* granule;
    Shadow::Trait trait;
    Shadow::Cause cause;
    bool operator==(const Look&) const = default;
  };
  struct Turn {
    std::vector<Place> places;  // of its operations
    std::vector<Look> looks;
    int wanted = 0;             // so often: it may be in a race, or let tries fail
    bool has_locks = false;
  };

  Turn& turn_of(const Thread& thread, int first);
  static void collect_causes(const Thread& thread, Step& step);
  int times_made(const Place& place) const;
  /// Of some place of the turn.
  int times_made(const Turn& turn) const;
  void look_for_race(Turn& turn, const Look& look);
  void want(Turn& turn, int times);
  std::uint64_t tries_of(int thread) const { return static_cast<std::size_t>(thread) < tries_.size() ? tries_[static_cast<std::size_t>(thread)] : 0; }
  void add_try(const Thread& thread);
  void want_if_tried(Turn& turn);

  bool is_on_ = false, must_begin_anew_ = false;
  bool are_there_ = false, has_found_first_ = false;
  std::vector<std::uint64_t> tries_;  // by thread: most in an execution
  std::vector<Turn> turns_;
  struct Made {
    Place place;
    int times;
  };
  std::vector<Made> made_;
};

}  // namespace ordeal::runtime
