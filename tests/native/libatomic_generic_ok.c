// EXPECT: verified 3
// FLAGS: -Wno-atomic-alignment -latomic
// An object of 24 bytes is atomic by a lock inside. Two exchanges and a load: the load (main's) sees the first value, or one of the other's …
// main's exchange comes before or behind the other's: where it is behind, nothing else; where before, the load sees it or the other's.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct Three {
  long a, b, c;
};
static struct Three object;

static void* change(void* argument) {
  struct Three two = {2, 2, 2}, old;
  __atomic_exchange(&object, &two, &old, __ATOMIC_SEQ_CST);
  assert(old.a == old.b && old.b == old.c);
  return argument;
}

int main(void) {
  pthread_t a;
  struct Three one = {1, 1, 1}, old, seen;
  pthread_create(&a, NULL, change, NULL);
  __atomic_exchange(&object, &one, &old, __ATOMIC_SEQ_CST);
  assert(old.a == old.c);
  __atomic_load(&object, &seen, __ATOMIC_SEQ_CST);
  assert(seen.a == seen.b && seen.b == seen.c && seen.a > 0);
  pthread_join(a, NULL);
  return 0;
}
