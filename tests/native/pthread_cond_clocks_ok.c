// EXPECT: verified
// FLAGS: -D_GNU_SOURCE
// Whatever the clock: a wait ends when it is notified, or when its time is up.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#define TRY(CALL) assert((CALL) == 0)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static int ready;

static void* set(void* argument) {
  TRY(pthread_mutex_lock(&mutex));
  ready = 1;
  TRY(pthread_cond_broadcast(&condition));
  TRY(pthread_mutex_unlock(&mutex));
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_condattr_t attributes;
  clockid_t clock;
  int value = -1;
  struct timespec soon = {1900000000, 0};
  TRY(pthread_condattr_init(&attributes));
  TRY(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
  TRY(pthread_condattr_getclock(&attributes, &clock));
  TRY(pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE));
  TRY(pthread_condattr_getpshared(&attributes, &value));
  TRY(pthread_cond_init(&condition, &attributes));
  TRY(pthread_condattr_destroy(&attributes));
  TRY(pthread_create(&a, NULL, set, NULL));
  TRY(pthread_mutex_lock(&mutex));
  int result = 0;
  while (!ready && result == 0) result = pthread_cond_timedwait(&condition, &mutex, &soon);
  assert(ready || result == ETIMEDOUT);
  if (!ready) result = pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &soon);
  assert(result == 0 || result == ETIMEDOUT);
  TRY(pthread_mutex_unlock(&mutex));
  TRY(pthread_join(a, NULL));
  TRY(pthread_cond_destroy(&condition));
  return 0;
}
