// EXPECT: bug lock-misuse unlocks a mutex that another thread holds
// OPTIONS: --keep-going
// EXPECT: bug lock-misuse waits with a mutex that it does not hold
// What POSIX does not define: to unlock a mutex of the normal kind, and to wait with one or with a recursive one.
#include <ordeal/ordeal.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* meddle(void* argument) {
  switch (ordeal_choose(2)) {
    case 0: pthread_mutex_unlock(&normal); break;                 // BUG
    default: pthread_cond_wait(&condition, &recursive); break;  // BUG
  }
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutex_lock(&normal);
  pthread_mutex_lock(&recursive);
  pthread_create(&a, NULL, meddle, NULL);
  pthread_join(a, NULL);
  return 0;
}
