// C11 threads, <threads.h>. In glibc they are the pthread functions under other names, of the same objects.
#include <errno.h>
#include <threads.h>

#include <cstdint>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/entry.h"
#include "runtime/pthreads.h"
#include "runtime/sync.h"

namespace {

using namespace ordeal::runtime;

pthread_mutex_t* as_mutex(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* as_condition(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

int result_of(int error) {
  switch (error) {
    case 0: return thrd_success;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    case EBUSY: return thrd_busy;
    default: return thrd_error;
  }
}

}  // namespace

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t) && sizeof(once_flag) == sizeof(pthread_once_t));

ORDEAL_ABI int thrd_create(thrd_t* handle, thrd_start_t routine, void* argument) {
  // The result is in the lower half of the same register.
  return result_of(create_thread(handle, nullptr, reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(routine)), argument, ORDEAL_SITE));
}
ORDEAL_ABI int thrd_join(thrd_t handle, int* result) {
  void* returned = nullptr;
  const int error = join_thread(handle, result == nullptr ? nullptr : &returned, ORDEAL_SITE);
  if (error == 0 && result != nullptr) {
    plain_write(reinterpret_cast<std::uintptr_t>(result), sizeof *result, ORDEAL_SITE);
    *result = static_cast<int>(reinterpret_cast<std::intptr_t>(returned));
  }
  return result_of(error);
}
ORDEAL_ABI void thrd_exit(int result) { exit_thread(reinterpret_cast<void*>(static_cast<std::intptr_t>(result))); }
ORDEAL_ABI int thrd_detach(thrd_t handle) { return result_of(pthread_detach(handle)); }
ORDEAL_ABI thrd_t thrd_current() { return pthread_self(); }
ORDEAL_ABI int thrd_equal(thrd_t a, thrd_t b) { return a == b ? 1 : 0; }
ORDEAL_ABI void thrd_yield() { sched_yield(); }
ORDEAL_ABI int thrd_sleep(const timespec* time, timespec* left) { return nanosleep(time, left) == 0 ? 0 : -1; }

ORDEAL_ABI int mtx_init(mtx_t* mutex, int type) {
  if ((type & ~(mtx_recursive | mtx_timed)) != 0) return thrd_error;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return result_of(pthread_mutex_init(as_mutex(mutex), &attributes));
}
ORDEAL_ABI void mtx_destroy(mtx_t* mutex) {
  if (is_checked()) destroy_mutex(as_mutex(mutex), ORDEAL_SITE);
}
ORDEAL_ENTRY(mtx_lock)
ORDEAL_BEHIND_ENTRY int ordeal_mtx_lock(mtx_t* mutex) { return is_checked() ? result_of(lock_mutex(as_mutex(mutex), ORDEAL_SITE)) : thrd_success; }
ORDEAL_ENTRY(mtx_trylock)
ORDEAL_BEHIND_ENTRY int ordeal_mtx_trylock(mtx_t* mutex) {
  return is_checked() ? result_of(try_lock_mutex(as_mutex(mutex), TryFails::kSpuriously, ORDEAL_SITE)) : thrd_success;
}
ORDEAL_ENTRY(mtx_timedlock)
ORDEAL_BEHIND_ENTRY int ordeal_mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  return is_checked() ? result_of(lock_mutex_timed(as_mutex(mutex), deadline, ORDEAL_SITE)) : thrd_success;
}
ORDEAL_ABI int mtx_unlock(mtx_t* mutex) { return is_checked() ? result_of(unlock_mutex(as_mutex(mutex), Stranger::kMisusesIt, ORDEAL_SITE)) : thrd_success; }

ORDEAL_ABI int cnd_init(cnd_t* condition) { return result_of(pthread_cond_init(as_condition(condition), nullptr)); }
ORDEAL_ABI void cnd_destroy(cnd_t* condition) {
  if (is_checked()) destroy_condition(as_condition(condition), ORDEAL_SITE);
}
ORDEAL_ABI int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return result_of(wait_for_notification(as_condition(condition), as_mutex(mutex), ORDEAL_SITE));
}
ORDEAL_ENTRY(cnd_timedwait)
ORDEAL_BEHIND_ENTRY int ordeal_cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  return result_of(wait_until(as_condition(condition), as_mutex(mutex), deadline, ORDEAL_SITE));
}
ORDEAL_ABI int cnd_signal(cnd_t* condition) {
  if (is_checked()) notify(as_condition(condition), Notified::kOne, ORDEAL_SITE);
  return thrd_success;
}
ORDEAL_ABI int cnd_broadcast(cnd_t* condition) {
  if (is_checked()) notify(as_condition(condition), Notified::kAll, ORDEAL_SITE);
  return thrd_success;
}

ORDEAL_ABI void call_once(once_flag* flag, void (*routine)()) { run_once(reinterpret_cast<pthread_once_t*>(flag), routine, ORDEAL_SITE); }

ORDEAL_ABI int tss_create(tss_t* key, tss_dtor_t destructor) { return result_of(pthread_key_create(key, destructor)); }
ORDEAL_ABI void tss_delete(tss_t key) { pthread_key_delete(key); }
ORDEAL_ABI void* tss_get(tss_t key) { return pthread_getspecific(key); }
ORDEAL_ABI int tss_set(tss_t key, void* value) { return result_of(pthread_setspecific(key, value)); }
