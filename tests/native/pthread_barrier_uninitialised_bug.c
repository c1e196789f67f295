// EXPECT: bug lock-misuse waits at a barrier that was not initialised
// There is no static initialiser.
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void) {
  pthread_barrier_wait(&barrier);  // BUG
  return 0;
}
