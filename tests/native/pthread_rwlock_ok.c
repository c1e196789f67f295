// EXPECT: verified 2
// FLAGS: -D_GNU_SOURCE
// A reader and a writer: one comes before the other. The lock is made twice, in the same memory; the holder's second lock is refused.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock;
static pthread_rwlock_t other = PTHREAD_RWLOCK_INITIALIZER;
static int one, two;

static void* change(void* argument) {
  pthread_rwlock_wrlock(&lock);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK && pthread_rwlock_rdlock(&lock) == EDEADLK);
  ++one;
  ++two;
  pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_rwlockattr_t attributes;
  int kind = -1, shared = -1;
  assert(pthread_rwlockattr_init(&attributes) == 0);
  assert(pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_rwlockattr_getpshared(&attributes, &shared) == 0 && shared == PTHREAD_PROCESS_PRIVATE);
  assert(pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_READER_NP) == 0);
  assert(pthread_rwlockattr_getkind_np(&attributes, &kind) == 0 && kind == PTHREAD_RWLOCK_PREFER_READER_NP);
  assert(pthread_rwlock_init(&lock, NULL) == 0 && pthread_rwlock_destroy(&lock) == 0);
  assert(pthread_rwlock_init(&lock, &attributes) == 0 && pthread_rwlockattr_destroy(&attributes) == 0);
  pthread_create(&a, NULL, change, NULL);
  pthread_rwlock_rdlock(&lock);
  assert(one == two);
  pthread_rwlock_unlock(&lock);
  pthread_join(a, NULL);
  assert(pthread_rwlock_destroy(&lock) == 0);
  assert(pthread_rwlock_rdlock(&other) == 0 && pthread_rwlock_rdlock(&other) == 0);
  assert(pthread_rwlock_unlock(&other) == 0 && pthread_rwlock_unlock(&other) == 0);
  return 0;
}
