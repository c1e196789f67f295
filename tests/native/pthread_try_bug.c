// EXPECT: bug assertion
// The other thread polls under the lock and is not done: it may hold it, in a turn that need not be part of the execution.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void* poll(void* argument) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    const int seen = ready;
    pthread_mutex_unlock(&mutex);
    if (seen) return argument;
  }
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, poll, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  const int result = pthread_mutex_trylock(&mutex);
  if (result == 0) pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(other, NULL);
  assert(result == 0);  // BUG
  return 0;
}
