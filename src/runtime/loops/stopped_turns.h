// What else the reads of a turn that was in vain could have given, and whether the thread would go on then: for executions that lead nowhere (explore/stale_turns.h).
//
//     x = tail.load();  e = cells[x].load();  tail.compare_exchange(x, x + 1)      fails, and the thread is stopped
//
// Had e given 1, the thread would have loaded `tail` again, and would have been stopped after that, whatever that had given: 1 is not *useful* to e. This is tried out (speculation.h) for each value that
// the object was seen to hold: the operation gives it, and so does each one after it whatever its object was seen to hold, until rule A or B stops the thread. Then the turn has no effect, either; its code may
// access nothing but the stack.
//
// What is useful is a function of the configurations since the thread's last effect and of the values that were seen. Answers are kept for a round. If another value is seen that an answer
// relied on, a new round begins (model/seen_writes.h).
//
// The executions that are given up might have shown a race, or a use of memory that is gone, of an operation of such a turn. So its objects are *watched*: nobody may write them plainly, or give them back, while there are
// other threads. Watching begins with a round; whoever does so in it begins another one, in which that object is used no more.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/stopped_turn.h"
#include "model/seen_writes.h"
#include "runtime/digest.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

class StoppedTurns {
 public:
  /// Off by default: nothing is known of any turn.
  void set_on(bool on) { is_on_ = on; }
  /// A new round is worth it at once.
  void set_eager() { is_eager_ = true; }

  /// The thread is about to be stopped at `now`; its turn began with its step `first`, and was in vain.
  void note(Thread& thread, int first, const Step& now);
  /// Of the thread that was stopped last, if no thread has run since.
  const engine::StoppedTurn* of(int thread) const { return thread == latest_ ? &turn_ : nullptr; }
  void note_run() { latest_ = -1; }
  /// Memory is accessed, or given back, while there are other threads.
  void note_access(const Range& range) {
    if (!watched_.empty() && range.is_written && !range.is_atomic) note_plain_write(range);
  }

  /// nullptr: nothing is to be noted in this round.
  model::SeenWrites* seen_writes() { return is_on_ && (wants_to_look_on_ || !watched_.empty()) ? &seen_ : nullptr; }
  /// Whether a new round would give up executions that this one, with so many so far, explores.
  bool wants_new_round(std::uint64_t executions) {
    executions_ = executions;
    return is_worth_a_new_round();
  }
  /// Whether the search must begin anew: what it relied on does not hold.
  bool must_begin_anew() const { return is_on_ && (is_broken_ || seen_.is_refuted()); }
  void begin_round();

  /// Whether a round has begun that would profit from some executions at random before it, in which this only looks on.
  bool wants_to_look_on() const { return is_on_ && wants_to_look_on_; }
  /// These begin, or have been made: what is to be watched is watched from now on.
  void set_looking_on(bool on);

 private:
  struct Watched {
    Range range;
    bool is_used = false;  // in this round
    bool is_banned = false;
  };
  /// A turn that would have been made.
  struct Path {
    const Thread& thread;
    int first;                // the turn begins with that step of the thread
    int changed;              // it differs from this one on
    std::vector<Step> steps;  // the operations from there on, as far as they matter here
    int runs = 0;
  };

  bool is_worth_a_new_round() const;
  static bool is_understood(const Thread& thread, int first, const Step& now);
  bool are_all_watched(const LoopTrace& trace, int first);
  Watched* find(const Call& call);
  const engine::StoppedTurn::Read& read(Thread& thread, int first, int i);
  std::vector<model::Value> values(const Call& call);
  bool is_stopped(Path& path);
  bool is_stopped_by_b(Path& path, const Step& there);
  bool is_stopped_later(Path& path, const Call& next);
  void note_plain_write(const Range& range);

  bool is_on_ = false, is_eager_ = false, is_broken_ = false, is_looking_on_ = false, wants_to_look_on_ = false;
  int latest_ = -1;
  engine::StoppedTurn turn_;
  model::SeenWrites seen_;
  std::vector<Watched> watched_;
  std::vector<Range> wanted_;  // from the next round on
  std::map<Digest, engine::StoppedTurn::Read> reads_;
  std::uint64_t missed_ = 0;      // turns in this round of which nothing is known because something was not watched
  std::uint64_t executions_ = 0;  // in this round
  int rounds_ = 0, broken_ = 0;
};

}  // namespace ordeal::runtime
