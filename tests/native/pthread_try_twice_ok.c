// EXPECT: verified 4..
// Two tries: each succeeds or fails, whatever the other does.
#include <assert.h>
#include <errno.h>
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
  assert((first == 0 || first == EBUSY) && (second == 0 || second == EBUSY));
  return 0;
}
