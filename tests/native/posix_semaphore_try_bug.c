// EXPECT: bug data-race data
// FLAGS: -D_GNU_SOURCE
// What sem_getvalue shows synchronises nothing; nor does a wait that failed.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static sem_t ready;
int data;

static void* produce(void* argument) {
  data = 1;  // BUG
  sem_post(&ready);
  return argument;
}

int main(void) {
  pthread_t a;
  struct timespec soon = {1900000000, 0};
  int value = 0, failed = 0;
  sem_init(&ready, 0, 0);
  pthread_create(&a, NULL, produce, NULL);
  sem_getvalue(&ready, &value);
  if (value == 1) data = 2;  // BUG
  else if (sem_trywait(&ready) != 0 && sem_timedwait(&ready, &soon) != 0 && sem_clockwait(&ready, CLOCK_MONOTONIC, &soon) != 0) failed = 1;
  pthread_join(a, NULL);
  return failed > 1;
}
