// EXPECT: bug assertion gave_up
// LEVELS: O0 O2
// Trap H1 with code of the C library, which is never instrumented: each futile look takes an element out of a list, by pointers that `remque` writes. The thread gives up when there
// is none left.
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <stddef.h>

struct element {
  struct element *next, *previous;
};
static struct element elements[3];
static int flag, gave_up;

static void* look(void* argument) {
  while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0) {
    if (elements[0].next == NULL) {
      gave_up = 1;
      break;
    }
    remque(elements[0].next);
  }
  return argument;
}

static void* set(void* argument) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  return argument;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 3; ++i) insque(&elements[i], i == 0 ? NULL : &elements[i - 1]);
  pthread_create(&a, NULL, look, NULL);
  pthread_create(&b, NULL, set, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!gave_up);  // BUG
  return 0;
}
