// EXPECT: bug data-race data
// FLAGS: -D_GNU_SOURCE
// It does not look whether it got the lock.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data;

static void* change(void* argument) {
  pthread_rwlock_wrlock(&lock);
  data = 1;  // BUG
  pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t a;
  struct timespec soon = {1900000000, 0};
  pthread_create(&a, NULL, change, NULL);
  const int failed = pthread_rwlock_timedrdlock(&lock, &soon) != 0 && pthread_rwlock_timedwrlock(&lock, &soon) != 0 &&
                     pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &soon) != 0 && pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon) != 0 &&
                     pthread_rwlock_tryrdlock(&lock) != 0 && pthread_rwlock_trywrlock(&lock) != 0;
  data = 2;  // BUG
  if (!failed) pthread_rwlock_unlock(&lock);
  pthread_join(a, NULL);
  return 0;
}
