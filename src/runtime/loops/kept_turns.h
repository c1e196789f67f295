// Which turns of loops were explored, and which condition of the rules kept them (README.md here).
//
//     seen = x.load(acquire);
//     while (!x.compare_exchange_strong(seen, 3, release, relaxed)) {}      a turn is kept: the load acquires, the failure does not
//
// A thread has made a turn when it comes to an operation that it has come to before, in the same functions. If none of the rules stops it
// there, or a few operations later, the turn was kept. What kept it is the first of these:
//
//   an effect since the last visit;
//   the turn is made on purpose (vain_turns.h);
//   two reads of the same object, of which the earlier one may not read what the later one did because of its order: tried out, it leads to where the thread is;
//   code that is hidden, or cannot be followed;
//   what is different where the turn ends: a failure without reason led there, memory, a lock, a clock, the thread's own variables.
//
// This changes nothing about the search. Each operation costs a look into a small table; more is done only where a thread comes round.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/loops/step.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

class KeptTurns {
 public:
  /// The rules let the thread go on to `now`, which follows its last step.
  void arrive(Thread& thread, const Step& now);
  /// It ends.
  void end(Thread& thread);
  /// The search starts again: what was kept before does not count.
  void begin_round() { turns_.clear(); }

  std::vector<trace::KeptTurn> all() const;

 private:
  static constexpr std::size_t kMostTurns = 256;  // more are not noted
  static constexpr int kMostTries = 8;
  struct Turn {
    CodePlace place, because;
    trace::KeptOperation operation, because_operation;
    trace::KeptBy by;
    std::uint64_t times = 0;
    int tries = 0;  // so often it was tried out whether nothing but an order kept it
  };

  void come_round(Thread& thread, const Step& now, const KeptTrace::Visit& before, bool is_new);
  bool is_kept_by_order(const Thread& thread, const Step& now, const KeptTrace::Visit& before, bool is_new);
  bool is_only_order(const Thread& thread, const Step& now, int earlier, int later, Turn& turn, bool is_new);
  void open(Thread& thread, const Step& now, const KeptTrace::Visit& before);
  void settle(Thread& thread, bool is_new);
  void note(const Step& now, trace::KeptBy by, const CodePlace& because = {});
  /// nullptr: there are too many.
  Turn* turn_of(const Turn& turn);

  std::vector<Turn> turns_;
};

}  // namespace ordeal::runtime
