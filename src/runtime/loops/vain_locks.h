// Locks that were held in turns in vain.
//
// A turn of a waiting loop that locks and unlocks may be left out of an execution (loops/README.md). What is lost with it is a try_lock of another thread that failed
// because of it.
//
// std::mutex and its kin may fail without reason. They do so where another thread has written the lock's state before, and anywhere if another
// thread has taken the lock, in any execution, which has made a turn in vain with some lock in it. When one more is found, the search begins anew.
//
// POSIX does not allow it for pthreads, nor does --no-spurious. So where such a try is made, others make turns in vain with locks in them (vain_turns.h): then it fails
// because of that, in a real execution. A try that fails needs one turn at most, so there are as many as others make tries in an execution. Tries in turns in vain do not
// count: those turns are left out themselves, but for those that such a try needs.
#pragma once

#include "runtime/locations.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

class VainLocks {
 public:
  explicit VainLocks(Locations& locations) : locations_(locations) {}

  /// The thread has taken it.
  void note_lock(Thread& thread, NativeLocation& lock) {
    ++thread.spin.locks;
    if ((lock.lockers & mask_of(thread.id)) == 0) add(lock, mask_of(thread.id));
  }
  /// The thread is about to be stopped: it went round in vain since this visit.
  void note_turn(const Thread& thread, const Step& first);
  /// Whether the lock may be held in a turn that is left out, when this thread tries to take it.
  bool may_be_held(const Thread& thread, const NativeLocation& lock) {
    is_asked_ = true;
    return has_others(lock.vain_lockers, thread.id);
  }

  bool must_begin_anew() const { return must_begin_anew_; }
  void begin_round();

 private:
  void add(NativeLocation& lock, ThreadMask locker);

  Locations& locations_;
  ThreadMask in_vain_ = 0;  // threads that have locked something in a turn in vain
  bool is_asked_ = false, must_begin_anew_ = false;
};

}  // namespace ordeal::runtime
