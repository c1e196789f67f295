// EXPECT: verified 9
// A try comes before the other thread's lock, finds it held, or finds it left by the dead: 3. So does a lock with a time limit: 3 for each, whichever mutex.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t a, b;

static void* die(void* argument) {
  pthread_mutex_lock(argument);
  return NULL;
}
static void let_go(pthread_mutex_t* mutex, int result) {
  if (result == EOWNERDEAD) assert(pthread_mutex_consistent(mutex) == 0);
  if (result == 0 || result == EOWNERDEAD) assert(pthread_mutex_unlock(mutex) == 0);
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&a, &attributes);
  pthread_mutex_init(&b, &attributes);
  pthread_t first, second;
  pthread_create(&first, NULL, die, &a);
  pthread_create(&second, NULL, die, &b);
  int result = pthread_mutex_trylock(&a);
  assert(result == 0 || result == EBUSY || result == EOWNERDEAD);
  let_go(&a, result);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  ++soon.tv_sec;
  result = pthread_mutex_timedlock(&b, &soon);
  assert(result == 0 || result == ETIMEDOUT || result == EOWNERDEAD);
  let_go(&b, result);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
