// EXPECT: bug data-race data
// The lock is released by a relaxed store.
#include <pthread.h>
#include <stddef.h>

static int lock;
int data;

static void* increment(void* argument) {
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
  ++data;  // BUG
  __atomic_store_n(&lock, 0, __ATOMIC_RELAXED);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, increment, NULL);
  increment(NULL);
  pthread_join(a, NULL);
  return 0;
}
