// EXPECT: bug assertion gave_up
// LEVELS: O0 O2
// Trap K2: the counter of futile looks is a global variable. Registers and stack are as they were a turn before; what the thread has written is not.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int flag, gave_up;
int looks;

static void* look(void* argument) {
  while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0)
    if (++looks == 3) {
      gave_up = 1;
      break;
    }
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
  assert(!gave_up);  // BUG
  return 0;
}
