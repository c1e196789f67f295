// EXPECT: verified 2
// A mutex that one thread initialises, and another locks because it has seen a flag.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static atomic_int ready;

static void* initialise(void* argument) {
  pthread_mutex_init(&mutex, NULL);
  atomic_store_explicit(&ready, 1, memory_order_release);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, initialise, NULL);
  if (atomic_load_explicit(&ready, memory_order_acquire)) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return 0;
}
