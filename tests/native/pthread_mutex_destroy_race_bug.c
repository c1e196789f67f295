// EXPECT: bug data-race mutex
// A mutex that is destroyed once a relaxed flag says that the other thread has left it: nothing orders the two.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void* use(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);  // BUG
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use, NULL);
  if (atomic_load_explicit(&done, memory_order_relaxed)) pthread_mutex_destroy(&mutex);  // BUG
  pthread_join(thread, NULL);
  return 0;
}
