// EXPECT: verified 2
// Who of the two locks first: 2 classes. The thread ends and holds it; what it wrote is there for whoever is told of that.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int data;

static void* die(void* argument) {
  const int result = pthread_mutex_lock(&mutex);
  assert(result == 0);
  data = 1;
  return argument;
}

int main(void) {
  pthread_mutexattr_t attributes;
  int robustness = PTHREAD_MUTEX_STALLED;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
  assert(pthread_mutexattr_getrobust(&attributes, &robustness) == 0 && robustness == PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, die, NULL);
  const int result = pthread_mutex_lock(&mutex);
  assert(result == 0 ? data == 0 : result == EOWNERDEAD && data == 1);
  assert(pthread_mutex_consistent(&mutex) == (result == 0 ? EINVAL : 0));
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  pthread_join(thread, NULL);
  const int again = pthread_mutex_lock(&mutex);
  assert(again == (result == 0 ? EOWNERDEAD : 0));
  return 0;
}
