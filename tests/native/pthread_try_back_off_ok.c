// EXPECT: verified
// Two mutexes in opposite orders, each with a try and a back-off: turns that are left out. Somebody gets both.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void lock_both(pthread_mutex_t* first, pthread_mutex_t* second) {
  for (;;) {
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0) return;
    pthread_mutex_unlock(first);
  }
}

static void* other(void* argument) {
  lock_both(&b, &a);
  ++counter;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  lock_both(&a, &b);
  ++counter;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_join(thread, NULL);
  assert(counter == 2);
  return 0;
}
