// EXPECT: bug assertion
// A try that fails only because of a turn in which the other one backed off: its last turn, the one that gets both, comes behind in every execution. (Both times
// of the other's turns matter: without those that are left out, the try of main never fails.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* argument) {
  for (;;) {
    pthread_mutex_lock(&a);
    if (pthread_mutex_trylock(&b) == 0) break;
    pthread_mutex_unlock(&a);
  }
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&b);  // the other one cannot succeed before main lets go of it
  pthread_create(&thread, NULL, other, NULL);
  const int result = pthread_mutex_trylock(&a);
  if (result == 0) pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_join(thread, NULL);
  assert(result == 0);  // BUG
  return 0;
}
