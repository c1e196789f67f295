// Barriers and spin locks of pthreads. A spin lock is a mutex of which nobody asks whether its threads sleep or spin.
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

namespace ordeal::runtime {
namespace {

constexpr std::uint32_t kDestroyed = 0x0DEAD10C;

/// What a barrier's memory holds; how many have arrived, the graph knows.
struct Content {
  std::uint32_t count;  // 0: it is not initialised
  std::uint32_t state;
};
static_assert(sizeof(Content) <= sizeof(pthread_barrier_t));

Content& content(pthread_barrier_t* barrier) { return *reinterpret_cast<Content*>(barrier); }

void require_usable(pthread_barrier_t* barrier, const char* destroyed, const char* not_initialised,
                    std::uintptr_t site) {
  require_live(barrier, site);
  if (content(barrier).state == kDestroyed) fail_with_misuse(barrier, destroyed, site);
  if (content(barrier).count == 0) fail_with_misuse(barrier, not_initialised, site);
}

void require_usable(pthread_spinlock_t* lock, const char* message, std::uintptr_t site) {
  require_live(const_cast<int*>(lock), site);
  if (static_cast<std::uint32_t>(*lock) == kDestroyed) fail_with_misuse(const_cast<int*>(lock), message, site);
}

const void* address_of(pthread_spinlock_t* lock) { return const_cast<int*>(lock); }
template <class Object>
void note_write(Object* object, std::uintptr_t site) {
  note_effect(*NativeProgram::current);
  plain_write(reinterpret_cast<std::uintptr_t>(object), sizeof *object, site);
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t*, unsigned count) {
  if (count == 0 || count > INT32_MAX) return EINVAL;
  const bool is_programs = is_programs_sync(ORDEAL_SITE);
  if (is_programs) note_write(barrier, ORDEAL_SITE);
  std::memset(barrier, 0, sizeof *barrier);
  content(barrier).count = count;
  if (is_programs) start_barrier(barrier, ORDEAL_SITE);
  return 0;
}
ORDEAL_ABI int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  if (!is_programs_sync(ORDEAL_SITE)) return 0;
  require_usable(barrier, "destroys a barrier that was destroyed", "destroys a barrier that was not initialised",
                 ORDEAL_SITE);
  if (state_of(barrier, LocationSort::kBarrier).depth > 0)
    fail_with_misuse(barrier, "destroys a barrier at which a thread waits", ORDEAL_SITE);
  note_write(barrier, ORDEAL_SITE);
  content(barrier) = {0, kDestroyed};
  return 0;
}
ORDEAL_ABI int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (!is_programs_sync(ORDEAL_SITE)) return 0;
  require_usable(barrier, "waits at a barrier that was destroyed", "waits at a barrier that was not initialised",
                 ORDEAL_SITE);
  const unsigned count = content(barrier).count;
  note_use(barrier, ORDEAL_SITE);
  return meet(barrier, count, ORDEAL_SITE) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

ORDEAL_ABI int pthread_spin_init(pthread_spinlock_t* lock, int) {
  if (is_programs_sync(ORDEAL_SITE)) note_write(lock, ORDEAL_SITE);
  *lock = 0;
  return 0;
}
ORDEAL_ABI int pthread_spin_destroy(pthread_spinlock_t* lock) {
  if (!is_programs_sync(ORDEAL_SITE)) return 0;
  require_usable(lock, "destroys a spin lock that was destroyed", ORDEAL_SITE);
  if (holder(address_of(lock)) >= 0)
    fail_with_misuse(address_of(lock), "destroys a spin lock that is held", ORDEAL_SITE);
  note_write(lock, ORDEAL_SITE);
  *lock = static_cast<int>(kDestroyed);
  return 0;
}
ORDEAL_ENTRY(pthread_spin_lock)
ORDEAL_BEHIND_ENTRY int ordeal_pthread_spin_lock(pthread_spinlock_t* spin_lock) {
  if (!is_programs_sync(ORDEAL_SITE)) return 0;
  require_usable(spin_lock, "locks a spin lock that was destroyed", ORDEAL_SITE);
  begin_step(*NativeProgram::current, ORDEAL_SITE, spin_lock);
  lock(address_of(spin_lock), ORDEAL_SITE);
  note_use(address_of(spin_lock), ORDEAL_SITE);
  return 0;
}
ORDEAL_ENTRY(pthread_spin_trylock)
ORDEAL_BEHIND_ENTRY int ordeal_pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (!is_programs_sync(ORDEAL_SITE)) return 0;
  require_usable(lock, "locks a spin lock that was destroyed", ORDEAL_SITE);
  begin_step(*NativeProgram::current, ORDEAL_SITE, lock);
  const bool succeeded = try_lock(address_of(lock), ORDEAL_SITE, TryFails::kIfHeld);
  note_use(address_of(lock), ORDEAL_SITE);
  return succeeded ? 0 : EBUSY;
}
ORDEAL_ABI int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (!is_programs_sync(ORDEAL_SITE)) return 0;
  require_usable(lock, "unlocks a spin lock that was destroyed", ORDEAL_SITE);
  const int owner = holder(address_of(lock));
  if (owner != NativeProgram::current->id)
    fail_with_misuse(
        address_of(lock),
        owner < 0 ? "unlocks a spin lock that nobody holds" : "unlocks a spin lock that another thread holds",
        ORDEAL_SITE);
  begin_release(address_of(lock), ORDEAL_SITE);
  unlock(address_of(lock), ORDEAL_SITE);
  end_release(address_of(lock), ORDEAL_SITE);
  return 0;
}
