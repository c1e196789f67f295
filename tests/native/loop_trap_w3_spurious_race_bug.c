// EXPECT: bug data-race data
// LEVELS: O0 O2
// Trap W3: a race that only a spurious failure leads to. Nobody else writes x, and the turn comes back to the same configuration; but it reads `data`, which
// the thread reads nowhere else, and b writes it.
#include <pthread.h>
#include <stddef.h>

int x, data;

static void* take(void* argument) {
  for (int expected = 0; !__atomic_compare_exchange_n(&x, &expected, 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED); expected = 0)
    if (data == 2) break;
  return argument;
}

static void* set(void* argument) {
  data = 1;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, take, NULL);
  pthread_create(&b, NULL, set, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
