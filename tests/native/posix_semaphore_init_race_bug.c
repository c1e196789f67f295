// EXPECT: bug data-race semaphore
// A thread may come before it is initialised.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t semaphore;

static void* post(void* argument) {
  sem_post(&semaphore);  // BUG
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, post, NULL);
  sem_init(&semaphore, 0, 0);  // BUG
  pthread_join(a, NULL);
  return 0;
}
