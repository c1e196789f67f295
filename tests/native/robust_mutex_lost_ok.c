// EXPECT: verified
// Once it is lost it is lost for all, whoever is first and however they ask; it can be destroyed.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex;

static void* die(void* argument) {
  pthread_mutex_lock(&mutex);
  return argument;
}
static void* ask(void* argument) {
  assert(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
  assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
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
  assert(pthread_mutex_unlock(&mutex) == 0);
  pthread_create(&thread, NULL, ask, NULL);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  ++soon.tv_sec;
  assert(pthread_mutex_timedlock(&mutex, &soon) == ENOTRECOVERABLE);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  pthread_join(thread, NULL);
  assert(pthread_mutex_destroy(&mutex) == 0);
  return 0;
}
