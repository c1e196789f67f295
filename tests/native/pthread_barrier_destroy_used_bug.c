// EXPECT: bug lock-misuse|data-race barrier
// A thread is at the barrier, or comes to it, when it is destroyed: found as what is seen first.
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void* there(void* argument) {
  pthread_barrier_wait(&barrier);  // BUG
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, there, NULL);
  pthread_barrier_destroy(&barrier);  // BUG
  pthread_join(a, NULL);
  return 0;
}
