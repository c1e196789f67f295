// Whether the program has a file open. Milestones must know each time one is kept; asking the system takes as long as running five
// operations again, so it is asked only if the program can have opened one:
//   - a call that we intercept (open, fopen, pipe, …) has been made, or
//   - a module of the program imports one that we do not (socket, dup, …).
// All the same it is asked at first and now and then, in case there is another way.
#pragma once

namespace ordeal::runtime {

class OpenFiles {
 public:
  /// Once, before the program runs. REQUIRES: find_libc.
  static void begin();
  /// A call was made that may open one.
  static void note_call() { may_be_there_ = true; }
  static bool are_there() {
    if (!may_be_there_ && asked_ >= kAlwaysAsked && ++not_asked_ % kSeldom != 0) return false;
    return ask();
  }
  /// One was found that nothing had announced, after the system had not been asked for a while.
  static bool came_unseen() { return came_unseen_; }

 private:
  static constexpr unsigned kAlwaysAsked = 256, kSeldom = 64;
  static bool ask();

  static inline int first_ = -1;  // the number that the program's first file gets
  static inline bool may_be_there_ = false, came_unseen_ = false;
  static inline unsigned asked_ = 0, not_asked_ = 0;
};

}  // namespace ordeal::runtime
