// EXPECT: verified 1
// What the kinds of mutexes answer to their holder; one thread, so one class.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t make(int kind) {
  pthread_mutex_t mutex;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  pthread_mutex_init(&mutex, &attributes);
  return mutex;
}

int main(void) {
  pthread_mutex_t recursive = make(PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_trylock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
  pthread_mutex_t checked = make(PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutex_lock(&checked) == 0 && pthread_mutex_lock(&checked) == EDEADLK);
  assert(pthread_mutex_unlock(&checked) == 0 && pthread_mutex_unlock(&checked) == EPERM);
  assert(pthread_mutex_destroy(&checked) == 0);
  return 0;
}
