// EXPECT: bug data-race counter
#include <pthread.h>
#include <stddef.h>

static int counter;

static void* increment(void* argument) {
  ++counter;  // BUG
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
