// EXPECT: verified 3
// FLAGS: -D_GNU_SOURCE
// The reader comes before or behind the writer, or its time is up while the writer has the lock. The locks of `other` are free, and have no
// reason to give up.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER, other = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void* change(void* argument) {
  pthread_rwlock_wrlock(&lock);
  data = 1;
  pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t a;
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  ++soon.tv_sec;
  pthread_create(&a, NULL, change, NULL);
  const int result = pthread_rwlock_timedrdlock(&lock, &soon);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    assert(data == 0 || data == 1);
    pthread_rwlock_unlock(&lock);
  }
  assert(pthread_rwlock_timedwrlock(&other, &soon) == 0 && pthread_rwlock_unlock(&other) == 0);
  assert(pthread_rwlock_clockrdlock(&other, CLOCK_MONOTONIC, &soon) == 0 && pthread_rwlock_unlock(&other) == 0);
  assert(pthread_rwlock_clockwrlock(&other, CLOCK_MONOTONIC, &soon) == 0);
  assert(pthread_rwlock_tryrdlock(&other) == EBUSY && pthread_rwlock_trywrlock(&other) == EBUSY);
  assert(pthread_rwlock_unlock(&other) == 0);
  pthread_join(a, NULL);
  return 0;
}
