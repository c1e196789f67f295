// EXPECT: bug assertion gave_up
// LEVELS: O0 O2
// Trap M2: a counter in the thread's signal mask, which the runtime keeps. One turn blocks SIGUSR1, the next one SIGUSR2; the third finds both, and gives up. (The turn calls
// nothing of the C library that writes: that alone would keep it.)
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static int flag, gave_up;
static sigset_t first, second;

__attribute__((noinline)) static int is_blocked(int number) {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  return mask.__val[0] >> (number - 1) & 1;
}

static void* look(void* argument) {
  while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0) {
    if (is_blocked(SIGUSR2)) {
      gave_up = 1;
      break;
    }
    pthread_sigmask(SIG_BLOCK, is_blocked(SIGUSR1) ? &second : &first, NULL);
  }
  return argument;
}

static void* set(void* argument) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  return argument;
}

int main(void) {
  pthread_t a, b;
  sigaddset(&first, SIGUSR1);
  sigaddset(&second, SIGUSR2);
  pthread_create(&a, NULL, look, NULL);
  pthread_create(&b, NULL, set, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!gave_up);  // BUG
  return 0;
}
