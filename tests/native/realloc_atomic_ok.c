// EXPECT: verified 1
// realloc takes along what was stored, atomically or not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct Pair {
  int plain;
  atomic_int counter;
};
struct Pair* pair;

void* increment(void* unused) {
  (void)unused;
  atomic_fetch_add(&pair->counter, 1);
  return NULL;
}

int main(void) {
  pair = malloc(sizeof *pair);
  *pair = (struct Pair){1, 2};
  pthread_t thread;
  pthread_create(&thread, NULL, increment, NULL);
  pthread_join(thread, NULL);
  pair = realloc(pair, 100 * sizeof *pair);
  assert(pair->plain == 1);
  assert(atomic_load(&pair->counter) == 3);
  free(pair);
  return 0;
}
