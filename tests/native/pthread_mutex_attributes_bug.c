// EXPECT: bug data-race counter
// FLAGS: -D_GNU_SOURCE
// It does not look whether it got the mutex.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#define TRY(CALL) assert((CALL) == 0)

static pthread_mutex_t mutex;
int counter;

static void* increment(void* argument) {
  TRY(pthread_mutex_lock(&mutex));
  ++counter;  // BUG
  TRY(pthread_mutex_unlock(&mutex));
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_mutexattr_t attributes;
  struct timespec soon = {1900000000, 0};
  int value = -1;
  TRY(pthread_mutexattr_init(&attributes));
  TRY(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP));
  TRY(pthread_mutexattr_gettype(&attributes, &value));
  TRY(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE));
  TRY(pthread_mutexattr_getpshared(&attributes, &value));
  TRY(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT));
  TRY(pthread_mutexattr_getprotocol(&attributes, &value));
  TRY(pthread_mutexattr_setprioceiling(&attributes, 1));
  TRY(pthread_mutexattr_getprioceiling(&attributes, &value));
  TRY(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED));
  TRY(pthread_mutexattr_getrobust(&attributes, &value));
  TRY(pthread_mutex_init(&mutex, &attributes));
  TRY(pthread_mutexattr_destroy(&attributes));
  TRY(pthread_create(&a, NULL, increment, NULL));
  const int result = pthread_mutex_timedlock(&mutex, &soon);
  assert(result == 0 || result == ETIMEDOUT);
  ++counter;  // BUG
  if (result == 0) TRY(pthread_mutex_unlock(&mutex));
  if (pthread_mutex_trylock(&mutex) == 0) TRY(pthread_mutex_unlock(&mutex));
  if (pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon) == 0) TRY(pthread_mutex_unlock(&mutex));
  TRY(pthread_join(a, NULL));
  TRY(pthread_mutex_destroy(&mutex));
  return 0;
}
