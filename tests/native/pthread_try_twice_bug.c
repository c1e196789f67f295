// EXPECT: bug assertion
// Two tries fail, each because of a turn of the poll that need not be part of the execution; main takes the lock in between, so it is not the same turn.
#include <assert.h>
#include <pthread.h>
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
  pthread_t thread;
  pthread_create(&thread, NULL, poll, NULL);
  const int first = pthread_mutex_trylock(&mutex);
  if (first == 0) pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  const int second = pthread_mutex_trylock(&mutex);
  if (second == 0) pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  assert(first == 0 || second == 0);  // BUG
  return 0;
}
