// EXPECT: bug assertion sum
// A load and a store are no addition.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sum;

static void* add(void* argument) {
  sum = sum + 1;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(sum == 2);  // BUG
  return 0;
}
