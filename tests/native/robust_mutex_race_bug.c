// EXPECT: bug data-race data
// The end of a thread gives its mutex back. Whoever writes after a lock that failed holds nothing.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int data;

static void* die(void* argument) {
  pthread_mutex_lock(&mutex);
  return argument;
}
static void* count(void* argument) {
  const int result = pthread_mutex_lock(&mutex);  // never recovered
  ++data;  // BUG
  if (result == 0 || result == EOWNERDEAD) pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread, a, b;
  pthread_create(&thread, NULL, die, NULL);
  pthread_join(thread, NULL);
  if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_unlock(&mutex);
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
