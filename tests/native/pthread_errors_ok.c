// EXPECT: verified 1
// FLAGS: -D_GNU_SOURCE
// Calls that return an error, as their manual pages say, instead of waiting for ever; one thread, so one class.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static void make(pthread_mutex_t* mutex, int kind) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  pthread_mutex_init(mutex, &attributes);
}

int main(void) {
  const struct timespec soon = {0, 0};
  pthread_mutex_t checked, normal;
  make(&checked, PTHREAD_MUTEX_ERRORCHECK);
  make(&normal, PTHREAD_MUTEX_NORMAL);
  assert(pthread_mutex_lock(&checked) == 0);
  assert(pthread_mutex_lock(&checked) == EDEADLK && pthread_mutex_timedlock(&checked, &soon) == EDEADLK && pthread_mutex_trylock(&checked) == EBUSY);
  assert(pthread_mutex_unlock(&checked) == 0 && pthread_mutex_unlock(&checked) == EPERM);
  assert(pthread_mutex_lock(&normal) == 0 && pthread_mutex_trylock(&normal) == EBUSY && pthread_mutex_timedlock(&normal, &soon) == ETIMEDOUT);
  assert(pthread_mutex_unlock(&normal) == 0);
  assert(pthread_join(pthread_self(), NULL) == EDEADLK);
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  assert(pthread_rwlock_wrlock(&lock) == 0 && pthread_rwlock_wrlock(&lock) == EDEADLK && pthread_rwlock_rdlock(&lock) == EDEADLK);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY && pthread_rwlock_tryrdlock(&lock) == EBUSY && pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_rdlock(&lock) == 0 && pthread_rwlock_trywrlock(&lock) == EBUSY && pthread_rwlock_unlock(&lock) == 0);
  pthread_spinlock_t spin;
  assert(pthread_spin_init(&spin, 0) == 0 && pthread_spin_lock(&spin) == 0 && pthread_spin_trylock(&spin) == EBUSY && pthread_spin_unlock(&spin) == 0);
  return 0;
}
