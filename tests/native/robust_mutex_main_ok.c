// EXPECT: verified 1
// main ends, the process goes on; and a mutex that is held in two depths, whose holder dies again before it is consistent.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex, other;

static void* die_too(void* argument) {
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  return argument;
}
static void* recover(void* argument) {
  pthread_t thread;
  assert(pthread_mutex_lock(&other) == EOWNERDEAD);
  pthread_create(&thread, NULL, die_too, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  return argument;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutex_init(&other, &attributes);
  assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_lock(&mutex) == 0 && pthread_mutex_lock(&other) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, recover, NULL);
  pthread_exit(NULL);
}
