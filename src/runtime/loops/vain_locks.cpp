#include "runtime/loops/vain_locks.h"

namespace ordeal::runtime {

void VainLocks::add(NativeLocation& lock, ThreadMask locker) {
  lock.lockers |= locker;
  must_begin_anew_ |= is_asked_ && (in_vain_ & locker) != 0;
}

void VainLocks::note_turn(const Thread& thread, const Step& first) {
  if (thread.spin.locks == first.locks || (in_vain_ & mask_of(thread.id)) != 0) return;
  in_vain_ |= mask_of(thread.id);
  must_begin_anew_ |= is_asked_;
}

/// Within a round the answers stay the same: an execution that is run again must ask for the same.
void VainLocks::begin_round() {
  must_begin_anew_ = false;
  for (int l = 0; l < locations_.count(); ++l) {
    NativeLocation& location = locations_[model::LocationId{l}];
    location.vain_lockers = location.lockers & in_vain_;
  }
}

}  // namespace ordeal::runtime
