// EXPECT: verified
// The thread that notifies dies with the mutex: the wait ends, and says so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* notify(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  ready = 1;
  pthread_cond_signal(&changed);
  return argument;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, notify, NULL);
  int result = pthread_mutex_lock(&mutex);
  while (!ready) {
    assert(result == 0);
    result = pthread_cond_wait(&changed, &mutex);
  }
  assert(result == EOWNERDEAD);
  assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  pthread_join(thread, NULL);
  return 0;
}
