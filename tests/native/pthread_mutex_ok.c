// EXPECT: verified 2
// BLOCKED: 0
// Two sections in two orders.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* increment(void* argument) {
  pthread_mutex_lock(&guard);
  counter += *(int*)argument;
  pthread_mutex_unlock(&guard);
  return argument;
}

int main(void) {
  int one = 1, two = 2;
  pthread_t a, b;
  void* result = NULL;
  assert(pthread_create(&a, NULL, increment, &one) == 0);
  assert(pthread_create(&b, NULL, increment, &two) == 0);
  pthread_join(a, &result);
  assert(result == &one);
  pthread_join(b, &result);
  assert(result == &two);
  assert(counter == 3);
  return 0;
}
