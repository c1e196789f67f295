// EXPECT: bug assertion
// It waits with a mutex that it has not made consistent: that gives it back for good, and it is not held afterwards.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* die(void* argument) {
  pthread_mutex_lock(&mutex);
  return argument;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, die, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  ++soon.tv_sec;
  const int result = pthread_cond_timedwait(&changed, &mutex, &soon);
  assert(result == ETIMEDOUT || result == 0);  // BUG
  return 0;
}
