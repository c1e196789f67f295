// EXPECT: bug assertion
// SHOWS: ends, and holds mutex
// SHOWS: whose holder has ended
// SHOWS: not consistent: it is lost
// Nobody makes it consistent again: whoever locks it next does not get it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

static void* die(void* argument) {
  pthread_mutex_lock(&mutex);
  return argument;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, die, NULL);
  const int first = pthread_mutex_lock(&mutex);
  if (first == -1) pthread_mutex_consistent(&mutex);  // forgets EOWNERDEAD
  pthread_mutex_unlock(&mutex);
  const int second = pthread_mutex_lock(&mutex);
  assert(second == 0 || second == EOWNERDEAD);  // BUG
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
