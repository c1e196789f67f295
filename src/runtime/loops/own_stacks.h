// Whose stack nobody else accesses: a fact that can be refuted.
//
// An execution is given up if a thread was stopped for good (explore/dead_ends.h, stale_turns.h). With it go the plain accesses that the thread has made since it read what keeps it there: had it read something else, it might
// not have made them. They matter if another thread accesses the same memory without order. To memory that others may see there must be none; to the thread's own stack there may be, as long as no other thread has
// accessed that in any execution of the round, blocked ones included.
//
// Threads that wait, and do not make the turns of which it was learnt that they are in vain (waiting_places.h), rely on the same: the memory that such a turn looks at is watched, but for the own stack. If that is shared, what was
// learnt so far is forgotten, and from then on it is watched, too.
//
// *It is refuted if it is wrong.* Let B be an execution in which another thread makes an access w to the stack of T, which is in a dead end. What others do does not depend on T's turn, so w is also in the executions that
// stand for B (dead_ends.h: T reads something greater there), in the end in one in which nobody is in a dead end: it is explored. (T may have ended there: then w is a use of memory that is gone, and is reported.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/layout.h"

namespace ordeal::runtime {

class OwnStacks {
 public:
  OwnStacks() : states_(kMaxThreads, State::kOwn) {}
  /// Another thread accesses the stack of `owner`.
  void note_access(int owner) {
    State& state = states_[static_cast<std::size_t>(owner)];
    must_begin_anew_ |= state == State::kReliedOn;
    state = State::kShared;
  }
  /// False: somebody has. True: that is relied on from here on.
  bool rely_on(int owner) {
    State& state = states_[static_cast<std::size_t>(owner)];
    if (state == State::kOwn) state = State::kReliedOn;
    return state == State::kReliedOn;
  }
  bool must_begin_anew() const { return must_begin_anew_; }
  void begin_round() {
    must_begin_anew_ = false;
    for (State& state : states_)
      if (state == State::kReliedOn) state = State::kOwn;
  }

 private:
  enum class State : std::uint8_t { kOwn, kReliedOn, kShared };
  std::vector<State> states_;
  bool must_begin_anew_ = false;
};

}  // namespace ordeal::runtime
