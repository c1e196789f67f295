// EXPECT: bug data-race barrier
// A barrier that one thread initialises, and another waits at because it has seen a relaxed flag.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static atomic_int ready;

static void* initialise(void* argument) {
  pthread_barrier_init(&barrier, NULL, 1);  // BUG
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, initialise, NULL);
  if (atomic_load_explicit(&ready, memory_order_relaxed)) pthread_barrier_wait(&barrier);  // BUG
  pthread_join(thread, NULL);
  return 0;
}
