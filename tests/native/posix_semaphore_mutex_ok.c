// EXPECT: verified 6
// BLOCKED: 0
// A semaphore with 1 is a mutex: three threads, 3! orders.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t guard;
static int counter;

static void* increment(void* argument) {
  sem_wait(&guard);
  ++counter;
  sem_post(&guard);
  return argument;
}

int main(void) {
  pthread_t a, b;
  sem_init(&guard, 0, 1);
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  increment(NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 3);
  return 0;
}
