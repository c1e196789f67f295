// EXPECT: bug assertion gave_up
// LEVELS: O0 O1 O2 O3
// Trap M2: a counter in the thread's signal mask, which the runtime keeps. One turn blocks SIGUSR1, the next one SIGUSR2; the third finds both, and gives up.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static int flag, gave_up;

static int is_blocked(int number) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  return sigismember(&mask, number);
}

static void block(int number) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, number);
  pthread_sigmask(SIG_BLOCK, &mask, NULL);
  sigemptyset(&mask);
}

static void* look(void* argument) {
  while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0) {
    if (is_blocked(SIGUSR2)) {
      gave_up = 1;
      break;
    }
    block(is_blocked(SIGUSR1) ? SIGUSR2 : SIGUSR1);
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
