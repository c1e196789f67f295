// EXPECT: verified 2
// POSIX defines what who does not hold a mutex gets: errors, which are no operations. The try finds the mutex held, or free again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t recursive, checked;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void make(pthread_mutex_t* mutex, int kind) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  pthread_mutex_init(mutex, &attributes);
}

static void* meddle(void* argument) {
  const struct timespec soon = {0, 0};
  assert(pthread_mutex_unlock(&recursive) == EPERM && pthread_mutex_unlock(&checked) == EPERM);
  assert(pthread_cond_wait(&condition, &checked) == EPERM && pthread_cond_timedwait(&condition, &checked, &soon) == EPERM);
  const int tried = pthread_mutex_trylock(&checked);
  assert(tried == 0 || tried == EBUSY);
  if (tried == 0) pthread_mutex_unlock(&checked);
  return argument;
}

int main(void) {
  pthread_t a;
  make(&recursive, PTHREAD_MUTEX_RECURSIVE);
  make(&checked, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&checked);
  pthread_create(&a, NULL, meddle, NULL);
  assert(pthread_mutex_unlock(&checked) == 0);
  pthread_join(a, NULL);
  assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == EPERM);
  return 0;
}
