// pthread mutexes, condition variables, once, and the guards of function-local statics. std::mutex and its kin come here.
#include <cxxabi.h>
#include <errno.h>
#include <pthread.h>

#include <cstdint>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/entry.h"
#include "runtime/loops/rules.h"
#include "runtime/modules.h"
#include "runtime/pthreads.h"
#include "runtime/sync.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

NativeProgram& program() { return *NativeProgram::instance; }
int self() { return NativeProgram::current->id; }

int kind_of(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 3; }
NativeLocation& state_of(const pthread_mutex_t* mutex) {
  return program().location_table()[sync_access(mutex, LocationSort::kMutex).location];
}

constexpr int kDestroyed = -1;  // as a kind. Whoever initialises the memory anew overwrites it.

/// Its memory must be there, and it must not have been destroyed.
void require_usable(const pthread_mutex_t* mutex, const char* message, std::uintptr_t site) {
  require_live(mutex, site);
  if (mutex->__data.__kind == kDestroyed) fail_with_misuse(mutex, message, site);
}

constexpr int kRobust = 16;  // in a kind, as glibc has it
bool is_robust(const pthread_mutex_t* mutex) { return (mutex->__data.__kind & kRobust) != 0; }
/// Whether POSIX defines that who waits with it without holding it gets an error; who unlocks it so, does, also if it is recursive.
bool tells_stranger(const pthread_mutex_t* mutex) { return kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK || is_robust(mutex); }

/// The thread has locked it: what a lock returns then.
int outcome_of_lock(const pthread_mutex_t* mutex, std::uintptr_t site) {
  if (!is_robust(mutex) || how_left(mutex) == Left::kWell) return 0;
  if (how_left(mutex) == Left::kByEndedThread) return EOWNERDEAD;
  unlock(mutex, site);
  return ENOTRECOVERABLE;
}

/// 0, an error, or -1: it must be locked for good.
int lock_again(pthread_mutex_t* mutex) {
  if (state_of(mutex).holder != self()) return -1;
  if (kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  if (kind_of(mutex) != PTHREAD_MUTEX_RECURSIVE) return -1;
  ++state_of(mutex).depth;
  note_hold(*NativeProgram::current, mutex, 1);
  return 0;
}

/// Whether the thread may wait with it. If not, it is told.
bool can_wait_with(const pthread_mutex_t* mutex, std::uintptr_t site) {
  require_usable(mutex, "waits with a mutex that was destroyed", site);
  if (state_of(mutex).holder == self()) return true;
  if (!tells_stranger(mutex)) fail_with_misuse(mutex, "waits with a mutex that it does not hold", site);
  return false;
}

void begin_to_lock(const pthread_mutex_t* mutex, std::uintptr_t site) {
  require_usable(mutex, "locks a mutex that was destroyed", site);
  begin_step(*NativeProgram::current, site, mutex);
  if (is_robust(mutex)) note_robust(mutex);
}

constexpr unsigned kDestroyedCondition = 0x0DEAD10C;  // as a size. Whoever initialises the memory anew overwrites it.

void require_usable(const pthread_cond_t* condition, const char* message, std::uintptr_t site) {
  require_live(condition, site);
  if (condition->__data.__g1_orig_size == kDestroyedCondition) fail_with_misuse(condition, message, site);
}

/// The try, which found it held or lost, has failed.
int error_of_try(const pthread_mutex_t* mutex, int error) { return is_robust(mutex) && last_try_found_it_lost() ? ENOTRECOVERABLE : error; }

}  // namespace

int make_mutex_consistent(pthread_mutex_t* mutex, std::uintptr_t site) {
  require_usable(mutex, "makes consistent a mutex that was destroyed", site);
  if (!is_robust(mutex)) return EINVAL;
  if (state_of(mutex).holder != self()) program().refuse("pthread_mutex_consistent by a thread that does not hold the mutex is not supported", site);
  if (how_left(mutex) != Left::kByEndedThread) return EINVAL;
  make_consistent(mutex);
  return 0;
}

bool is_programs_sync(std::uintptr_t site) { return is_checked() && !is_libgcc(site); }

int lock_mutex(pthread_mutex_t* mutex, std::uintptr_t site) {
  begin_to_lock(mutex, site);
  if (const int known = lock_again(mutex); known >= 0) return known;
  lock(mutex, site);
  note_use(mutex, site);
  return outcome_of_lock(mutex, site);
}

int try_lock_mutex(pthread_mutex_t* mutex, TryFails fails, std::uintptr_t site) {
  begin_to_lock(mutex, site);
  if (kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE && state_of(mutex).holder == self()) return lock_again(mutex);
  const bool succeeded = try_lock(mutex, site, fails);
  note_use(mutex, site);
  return succeeded ? outcome_of_lock(mutex, site) : error_of_try(mutex, EBUSY);
}

int lock_mutex_timed(pthread_mutex_t* mutex, const timespec* deadline, std::uintptr_t site) {
  begin_to_lock(mutex, site);
  if (const int known = lock_again(mutex); known >= 0) return known;
  if (gives_up_at_once(site)) {
    // Only a lock that another thread holds makes it wait.
    const bool succeeded = try_lock(mutex, site, TryFails::kIfHeld);
    if (succeeded && program().explores_all()) program().stop(ordeal::engine::Cut::kAssumption);
    if (succeeded) return outcome_of_lock(mutex, site);
    const int error = error_of_try(mutex, ETIMEDOUT);
    if (error == ETIMEDOUT) let_time_pass_until(deadline);
    return error;
  }
  const TimeLimit limit(deadline);
  const bool succeeded = lock(mutex, site);
  note_use(mutex, site);
  if (!succeeded) let_time_pass_until(deadline);
  return succeeded ? outcome_of_lock(mutex, site) : ETIMEDOUT;
}

int unlock_mutex(pthread_mutex_t* mutex, Stranger stranger, std::uintptr_t site) {
  require_usable(mutex, "unlocks a mutex that was destroyed", site);
  NativeLocation& state = state_of(mutex);
  if (state.holder != self()) {
    if (stranger == Stranger::kMayBeTold && (tells_stranger(mutex) || kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE)) return EPERM;
    fail_with_misuse(mutex, state.holder < 0 ? "unlocks a mutex that nobody holds" : "unlocks a mutex that another thread holds", site);
  }
  if (state.depth > 0) {
    --state.depth;
    note_hold(*NativeProgram::current, mutex, -1, site);
    return 0;
  }
  begin_release(mutex, site);
  unlock(mutex, site);
  end_release(mutex, site);
  return 0;
}

int wait_until(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline, std::uintptr_t site) {
  require_usable(condition, "waits for a condition variable that was destroyed", site);
  if (!can_wait_with(mutex, site)) return EPERM;
  begin_step(*NativeProgram::current, site, mutex);
  const bool was_woken = wait_timed(condition, mutex, deadline, site);
  if (!was_woken) let_time_pass_until(deadline);
  const int outcome = outcome_of_lock(mutex, site);
  return outcome != 0 || was_woken ? outcome : ETIMEDOUT;
}

int wait_for_notification(pthread_cond_t* condition, pthread_mutex_t* mutex, std::uintptr_t site) {
  require_usable(condition, "waits for a condition variable that was destroyed", site);
  if (!can_wait_with(mutex, site)) return EPERM;
  wait(condition, mutex, site);
  return outcome_of_lock(mutex, site);
}

void notify(pthread_cond_t* condition, Notified notified, std::uintptr_t site) {
  require_usable(condition, "notifies a condition variable that was destroyed", site);
  notified == Notified::kOne ? notify_one(condition, site) : notify_all(condition, site);
  note_use(condition, site);
}

int destroy_condition(pthread_cond_t* condition, std::uintptr_t site) {
  require_usable(condition, "destroys a condition variable that was destroyed", site);
  if (NativeProgram::current->exit_stack != 0) return 0;  // of a global, when the process ends: threads that still wait are taken to be meant so
  if (has_waiters(condition, site)) fail_with_misuse(condition, "destroys a condition variable for which a thread waits", site);
  note_effect(*NativeProgram::current);
  plain_write(reinterpret_cast<std::uintptr_t>(condition), sizeof *condition, site);
  condition->__data.__g1_orig_size = kDestroyedCondition;
  return 0;
}

int destroy_mutex(pthread_mutex_t* mutex, std::uintptr_t site) {
  require_usable(mutex, "destroys a mutex that was destroyed", site);
  if (state_of(mutex).holder >= 0) fail_with_misuse(mutex, "destroys a mutex that is held", site);
  note_effect(*NativeProgram::current);
  plain_write(reinterpret_cast<std::uintptr_t>(mutex), sizeof *mutex, site);
  mutex->__data.__kind = kDestroyed;
  return 0;
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  int kind = PTHREAD_MUTEX_DEFAULT, robustness = PTHREAD_MUTEX_STALLED;
  if (attributes != nullptr) {
    pthread_mutexattr_gettype(attributes, &kind);
    pthread_mutexattr_getrobust(attributes, &robustness);
  }
  if (is_programs_sync(ORDEAL_SITE)) plain_write(reinterpret_cast<std::uintptr_t>(mutex), sizeof *mutex, ORDEAL_SITE);
  std::memset(mutex, 0, sizeof *mutex);
  mutex->__data.__kind = kind | (robustness == PTHREAD_MUTEX_ROBUST ? kRobust : 0);
  return 0;
}
ORDEAL_ABI int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  return is_checked() ? destroy_mutex(mutex, ORDEAL_SITE) : 0;
}
ORDEAL_ENTRY(pthread_mutex_lock)
ORDEAL_BEHIND_ENTRY int ordeal_pthread_mutex_lock(pthread_mutex_t* mutex) { return is_programs_sync(ORDEAL_SITE) ? lock_mutex(mutex, ORDEAL_SITE) : 0; }
ORDEAL_ENTRY(pthread_mutex_trylock)
ORDEAL_BEHIND_ENTRY int ordeal_pthread_mutex_trylock(pthread_mutex_t* mutex) { return is_programs_sync(ORDEAL_SITE) ? try_lock_mutex(mutex, TryFails::kIfHeld, ORDEAL_SITE) : 0; }
// What std::mutex calls instead, like __ordeal_mutex_unlock (include/ordeal/inside/bits/gthr-default.h).
ORDEAL_ENTRY(__ordeal_mutex_trylock)
ORDEAL_BEHIND_ENTRY int ordeal___ordeal_mutex_trylock(pthread_mutex_t* mutex) { return is_programs_sync(ORDEAL_SITE) ? try_lock_mutex(mutex, TryFails::kSpuriously, ORDEAL_SITE) : 0; }
ORDEAL_ENTRY(pthread_mutex_timedlock)
ORDEAL_BEHIND_ENTRY int ordeal_pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) {
  return is_programs_sync(ORDEAL_SITE) ? lock_mutex_timed(mutex, deadline, ORDEAL_SITE) : 0;
}
ORDEAL_ENTRY(pthread_mutex_clocklock)
ORDEAL_BEHIND_ENTRY int ordeal_pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t, const timespec* deadline) {
  return is_programs_sync(ORDEAL_SITE) ? lock_mutex_timed(mutex, deadline, ORDEAL_SITE) : 0;
}
ORDEAL_ABI int pthread_mutex_unlock(pthread_mutex_t* mutex) { return is_programs_sync(ORDEAL_SITE) ? unlock_mutex(mutex, Stranger::kMayBeTold, ORDEAL_SITE) : 0; }
ORDEAL_ABI int __ordeal_mutex_unlock(pthread_mutex_t* mutex) { return is_programs_sync(ORDEAL_SITE) ? unlock_mutex(mutex, Stranger::kMisusesIt, ORDEAL_SITE) : 0; }
ORDEAL_ABI int pthread_mutex_consistent(pthread_mutex_t* mutex) { return is_programs_sync(ORDEAL_SITE) ? make_mutex_consistent(mutex, ORDEAL_SITE) : 0; }

ORDEAL_ABI int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t*) {
  if (is_programs_sync(ORDEAL_SITE)) plain_write(reinterpret_cast<std::uintptr_t>(condition), sizeof *condition, ORDEAL_SITE);
  std::memset(condition, 0, sizeof *condition);
  return 0;
}
ORDEAL_ABI int pthread_cond_destroy(pthread_cond_t* condition) { return is_checked() ? destroy_condition(condition, ORDEAL_SITE) : 0; }
ORDEAL_ABI int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_for_notification(condition, mutex, ORDEAL_SITE);
}
ORDEAL_ENTRY(pthread_cond_timedwait)
ORDEAL_BEHIND_ENTRY int ordeal_pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  return wait_until(condition, mutex, deadline, ORDEAL_SITE);
}
ORDEAL_ENTRY(pthread_cond_clockwait)
ORDEAL_BEHIND_ENTRY int ordeal_pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t, const timespec* deadline) {
  return wait_until(condition, mutex, deadline, ORDEAL_SITE);
}
ORDEAL_ABI int pthread_cond_signal(pthread_cond_t* condition) {
  if (is_checked()) notify(condition, Notified::kOne, ORDEAL_SITE);
  return 0;
}
ORDEAL_ABI int pthread_cond_broadcast(pthread_cond_t* condition) {
  if (is_checked()) notify(condition, Notified::kAll, ORDEAL_SITE);
  return 0;
}

// --- once: the value 2 (glibc's) says that it is done ------------------------------------------------------------------------

namespace {

struct UnlockAtEnd {
  const void* object;
  std::uintptr_t site;
  ~UnlockAtEnd() { unlock(object, site); }
};

}  // namespace

int ordeal::runtime::run_once(pthread_once_t* control, void (*routine)(), std::uintptr_t site) {
  constexpr int kDone = 2;
  if (!is_programs_sync(site) || is_libstdcxx(site)) {  // its own: locales and the like
    if (*control != kDone) routine();
    *control = kDone;
    return 0;
  }
  lock(control, site);
  const UnlockAtEnd unlock_at_end{control, site};
  if (*control == kDone) return 0;  // under the lock, memory holds the last value
  routine();
  *control = kDone;
  return 0;
}

ORDEAL_ABI int pthread_once(pthread_once_t* control, void (*routine)()) { return run_once(control, routine, ORDEAL_SITE); }

ORDEAL_ABI int __cxa_guard_acquire(__cxxabiv1::__guard* guard) {
  auto* done = reinterpret_cast<unsigned char*>(guard);
  if (!is_checked()) return *done == 0 ? 1 : 0;
  lock(guard, ORDEAL_SITE);
  if (*done == 0) return 1;
  unlock(guard, ORDEAL_SITE);
  return 0;
}
ORDEAL_ABI void __cxa_guard_release(__cxxabiv1::__guard* guard) noexcept {
  auto* done = reinterpret_cast<unsigned char*>(guard);
  if (!is_checked()) {
    *done = 1;
    return;
  }
  atomic_store({reinterpret_cast<std::uintptr_t>(done), 1, ORDEAL_SITE}, 1, ordeal::model::MemoryOrder::kRelease);
  unlock(guard, ORDEAL_SITE);
}
ORDEAL_ABI void __cxa_guard_abort(__cxxabiv1::__guard* guard) noexcept {
  if (is_checked()) unlock(guard, ORDEAL_SITE);
}
