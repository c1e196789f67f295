// EXPECT: bug data-race done
// One barrier is not enough: a thread reads what the other already changes behind it.
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
int done[2];

static void* run(void* argument) {
  const long self = (long)argument;
  done[self] = 1;  // BUG
  pthread_barrier_wait(&barrier);
  const int other = done[1 - self];  // BUG
  done[self] = other + 1;            // BUG
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, run, (void*)1);
  run(NULL);
  pthread_join(a, NULL);
  return 0;
}
