// flockfile and its kin: the lock of a stream is a recursive mutex of ours. libc's own would make all threads wait, which are one to the
// system. Functions that print do not look at it: lines of others may come between.
#include <errno.h>
#include <stdio.h>

#include <cstdint>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/entry.h"
#include "runtime/loops/rules.h"
#include "runtime/pthreads.h"
#include "runtime/sync.h"
#include "runtime/sync_operations.h"

namespace ordeal::runtime {
namespace {

/// Whether the running thread holds it already, and does so once more now.
bool locks_again(FILE* file) {
  NativeLocation& state = state_of(file, LocationSort::kMutex);
  if (state.holder != NativeProgram::current->id) return false;
  ++state.depth;
  note_hold(*NativeProgram::current, file, 1);
  return true;
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ENTRY(flockfile)
ORDEAL_BEHIND_ENTRY void ordeal_flockfile(FILE* file) {
  if (!is_programs_sync(ORDEAL_SITE)) return;
  begin_step(*NativeProgram::current, ORDEAL_SITE, file);
  if (!locks_again(file)) lock(file, ORDEAL_SITE);
}
ORDEAL_ENTRY(ftrylockfile)
ORDEAL_BEHIND_ENTRY int ordeal_ftrylockfile(FILE* file) {
  if (!is_programs_sync(ORDEAL_SITE)) return 0;
  begin_step(*NativeProgram::current, ORDEAL_SITE, file);
  return locks_again(file) || try_lock(file, ORDEAL_SITE, TryFails::kIfHeld) ? 0 : EBUSY;
}
ORDEAL_ABI void ordeal_funlockfile(FILE* file) __asm__("funlockfile");
ORDEAL_ABI void ordeal_funlockfile(FILE* file) {
  if (!is_programs_sync(ORDEAL_SITE)) return;
  NativeLocation& state = state_of(file, LocationSort::kMutex);
  if (state.holder != NativeProgram::current->id) fail_with_misuse(nullptr, "unlocks a stream that it has not locked", ORDEAL_SITE);
  if (state.depth > 0) {
    --state.depth;
    note_hold(*NativeProgram::current, file, -1);
    return;
  }
  unlock(file, ORDEAL_SITE);
}
