// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap L1 with a pthread_mutex_t, whose trylock never fails spuriously (loop_trap_l1_mutex_bug.cpp).
//
// The trylock of b fails: a holds the lock in a turn in vain, because b, which alone sets `ready`, is not there yet. A rule that leaves
// out a lock and its unlock in a vain turn has a lock once only, after b's unlock, and then the trylock never fails.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int ready, failed;

static void* poll(void* argument) {
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(&guard);
    seen = ready;
    pthread_mutex_unlock(&guard);
  }
  return argument;
}

static void* set(void* argument) {
  if (pthread_mutex_trylock(&guard) != 0) {
    failed = 1;
    pthread_mutex_lock(&guard);
  }
  ready = 1;
  pthread_mutex_unlock(&guard);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, poll, NULL);
  pthread_create(&b, NULL, set, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!failed);  // BUG
  return 0;
}
