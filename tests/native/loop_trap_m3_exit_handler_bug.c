// EXPECT: bug assertion handled
// OPTIONS: --loop-bound 3
// LEVELS: O0 O2
// Trap M3: each futile look registers one more exit handler. The thread itself is as it was a turn before, but at the end of the program the handlers run: twice, after two
// futile looks.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int flag, handled;

static void handle(void) {
  ++handled;
  assert(handled < 2);  // BUG
}

static void* look(void* argument) {
  while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0) atexit(handle);
  return argument;
}

static void* set(void* argument) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, look, NULL);
  pthread_create(&b, NULL, set, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
