// EXPECT: bug data-race counter
// A semaphore with 2 lets two in.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t guard;
int counter;

static void* increment(void* argument) {
  sem_wait(&guard);
  ++counter;  // BUG
  sem_post(&guard);
  return argument;
}

int main(void) {
  pthread_t a;
  sem_init(&guard, 0, 2);
  pthread_create(&a, NULL, increment, NULL);
  increment(NULL);
  pthread_join(a, NULL);
  return 0;
}
