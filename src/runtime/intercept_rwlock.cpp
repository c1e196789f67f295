// Read-write locks of pthreads: std::shared_mutex and std::shared_timed_mutex come here. Readers go before writers who wait, as with
// glibc's default; the other preferences are accepted and mean nothing.
#include <cstdint>
#include <cstring>

#include <errno.h>
#include <pthread.h>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/entry.h"
#include "runtime/loops/rules.h"
#include "runtime/pthreads.h"
#include "runtime/sync.h"
#include "runtime/sync_operations.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

enum class Use : std::uint8_t { kRead, kWrite };

constexpr unsigned kDestroyed = 0x0DEAD10C;  // as flags. Whoever initialises the memory anew overwrites it.

int self() { return NativeProgram::current->id; }
bool is_own(const pthread_rwlock_t* lock) { return state_of(lock, LocationSort::kSharedMutex).holder == self(); }

/// Its memory must be there, and it must not have been destroyed.
void require_usable(const pthread_rwlock_t* lock, const char* message, std::uintptr_t site) {
  require_live(lock, site);
  if (lock->__data.__flags == kDestroyed) fail_with_misuse(lock, message, site);
}

/// To be called first by an entry point.
void begin_to_lock(const pthread_rwlock_t* lock, std::uintptr_t site) {
  require_usable(lock, "locks a read-write lock that was destroyed", site);
  begin_step(*NativeProgram::current, site, lock);
}

int lock_for(Use use, const pthread_rwlock_t* lock, std::uintptr_t site) {
  begin_to_lock(lock, site);
  if (is_own(lock)) return EDEADLK;
  use == Use::kRead ? lock_shared(lock, site) : lock_exclusive(lock, site);
  note_use(lock, site);
  return 0;
}

int try_lock_for(Use use, const pthread_rwlock_t* lock, TryFails fails, std::uintptr_t site) {
  begin_to_lock(lock, site);
  const bool succeeded = use == Use::kRead ? try_lock_shared(lock, site, fails) : try_lock_exclusive(lock, site, fails);
  note_use(lock, site);
  return succeeded ? 0 : EBUSY;
}

int lock_for_until(Use use, const pthread_rwlock_t* lock, const timespec* deadline, std::uintptr_t site) {
  begin_to_lock(lock, site);
  if (is_own(lock)) return EDEADLK;
  if (gives_up_at_once(site)) {
    // Only one that is held makes it wait.
    const bool succeeded =
        use == Use::kRead ? try_lock_shared(lock, site, TryFails::kIfHeld) : try_lock_exclusive(lock, site, TryFails::kIfHeld);
    if (succeeded && NativeProgram::instance->explores_all()) NativeProgram::instance->stop(engine::Cut::kAssumption);
    if (succeeded) return 0;
    let_time_pass_until(deadline);
    return ETIMEDOUT;
  }
  const TimeLimit limit(deadline);
  const bool succeeded = use == Use::kRead ? lock_shared(lock, site) : lock_exclusive(lock, site);
  note_use(lock, site);
  if (!succeeded) let_time_pass_until(deadline);
  return succeeded ? 0 : ETIMEDOUT;
}

int unlock_any(const pthread_rwlock_t* lock, std::uintptr_t site) {
  require_usable(lock, "unlocks a read-write lock that was destroyed", site);
  const NativeLocation& state = state_of(lock, LocationSort::kSharedMutex);
  const bool is_held = state.holder >= 0 || state.depth > 0;
  begin_release(lock, site);
  if (is_own(lock))
    unlock_exclusive(lock, site);
  else if (times_held_shared(lock) > 0)
    unlock_shared(lock, site);
  else
    fail_with_misuse(
        lock,
        is_held ? "unlocks a read-write lock that another thread holds" : "unlocks a read-write lock that nobody holds",
        site);
  end_release(lock, site);
  return 0;
}

int destroy(pthread_rwlock_t* lock, std::uintptr_t site) {
  require_usable(lock, "destroys a read-write lock that was destroyed", site);
  const NativeLocation& state = state_of(lock, LocationSort::kSharedMutex);
  if (state.holder >= 0 || state.depth > 0) fail_with_misuse(lock, "destroys a read-write lock that is held", site);
  note_effect(*NativeProgram::current);
  plain_write(reinterpret_cast<std::uintptr_t>(lock), sizeof *lock, site);
  lock->__data.__flags = kDestroyed;
  return 0;
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t*) {
  if (is_programs_sync(ORDEAL_SITE)) plain_write(reinterpret_cast<std::uintptr_t>(lock), sizeof *lock, ORDEAL_SITE);
  std::memset(lock, 0, sizeof *lock);
  return 0;
}
ORDEAL_ABI int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  return is_programs_sync(ORDEAL_SITE) ? destroy(lock, ORDEAL_SITE) : 0;
}

#define ORDEAL_LOCK(NAME, CALL) \
  ORDEAL_ENTRY(NAME)            \
  ORDEAL_BEHIND_ENTRY int ordeal_##NAME(pthread_rwlock_t* lock) { return is_programs_sync(ORDEAL_SITE) ? CALL : 0; }
#define ORDEAL_LOCK_UNTIL(NAME, USE)                                                                            \
  ORDEAL_ENTRY(pthread_rwlock_timed##NAME)                                                                      \
  ORDEAL_BEHIND_ENTRY int ordeal_pthread_rwlock_timed##NAME(pthread_rwlock_t* lock, const timespec* deadline) { \
    return is_programs_sync(ORDEAL_SITE) ? lock_for_until(USE, lock, deadline, ORDEAL_SITE) : 0;                \
  }                                                                                                             \
  ORDEAL_ENTRY(pthread_rwlock_clock##NAME)                                                                      \
  ORDEAL_BEHIND_ENTRY int ordeal_pthread_rwlock_clock##NAME(pthread_rwlock_t* lock, clockid_t,                  \
                                                            const timespec* deadline) {                         \
    return is_programs_sync(ORDEAL_SITE) ? lock_for_until(USE, lock, deadline, ORDEAL_SITE) : 0;                \
  }
ORDEAL_LOCK(pthread_rwlock_rdlock, lock_for(Use::kRead, lock, ORDEAL_SITE))
ORDEAL_LOCK(pthread_rwlock_wrlock, lock_for(Use::kWrite, lock, ORDEAL_SITE))
ORDEAL_LOCK(pthread_rwlock_tryrdlock, try_lock_for(Use::kRead, lock, TryFails::kIfHeld, ORDEAL_SITE))
ORDEAL_LOCK(pthread_rwlock_trywrlock, try_lock_for(Use::kWrite, lock, TryFails::kIfHeld, ORDEAL_SITE))
// What std::shared_mutex calls instead (include/ordeal/inside/shared_mutex).
ORDEAL_LOCK(__ordeal_rwlock_tryrdlock, try_lock_for(Use::kRead, lock, TryFails::kSpuriously, ORDEAL_SITE))
ORDEAL_LOCK(__ordeal_rwlock_trywrlock, try_lock_for(Use::kWrite, lock, TryFails::kSpuriously, ORDEAL_SITE))
ORDEAL_LOCK_UNTIL(rdlock, Use::kRead)
ORDEAL_LOCK_UNTIL(wrlock, Use::kWrite)
ORDEAL_ABI int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  return is_programs_sync(ORDEAL_SITE) ? unlock_any(lock, ORDEAL_SITE) : 0;
}
