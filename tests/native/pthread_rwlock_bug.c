// EXPECT: bug data-race counter
// FLAGS: -D_GNU_SOURCE
// Two readers write.
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock;
int counter;

static void* increment(void* argument) {
  pthread_rwlock_rdlock(&lock);
  ++counter;  // BUG
  pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_rwlockattr_t attributes;
  int value;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE);
  pthread_rwlockattr_getpshared(&attributes, &value);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NP);
  pthread_rwlockattr_getkind_np(&attributes, &value);
  pthread_rwlock_init(&lock, &attributes);
  pthread_rwlockattr_destroy(&attributes);
  pthread_rwlock_wrlock(&lock);
  counter = 0;
  pthread_rwlock_unlock(&lock);
  pthread_create(&a, NULL, increment, NULL);
  increment(NULL);
  pthread_join(a, NULL);
  pthread_rwlock_destroy(&lock);
  return 0;
}
