// EXPECT: bug assertion seen
// OPTIONS: --loop-bound 2
// LEVELS: O0 O2
// Trap P2: a plain variable that holds its old value again at the end of the turn, but was seen meanwhile. The thread sets it in one critical section and
// resets it in the next; b looks between them, and only then ends the wait. Without the turn nobody sees it set.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int flag, busy, seen;

static void put(int value) {
  pthread_mutex_lock(&guard);
  busy = value;
  pthread_mutex_unlock(&guard);
}

static void* look(void* argument) {
  while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0) {
    put(1);
    put(0);
  }
  return argument;
}

static void* set(void* argument) {
  pthread_mutex_lock(&guard);
  seen = busy;
  pthread_mutex_unlock(&guard);
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, look, NULL);
  pthread_create(&b, NULL, set, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!seen);  // BUG
  return 0;
}
