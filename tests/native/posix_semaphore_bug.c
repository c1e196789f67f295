// EXPECT: bug deadlock ready
// Two wait, one posts.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready;

static void* consume(void* argument) {
  sem_wait(&ready);  // BUG
  return argument;
}

int main(void) {
  pthread_t a, b;
  sem_init(&ready, 0, 0);
  pthread_create(&a, NULL, consume, NULL);
  pthread_create(&b, NULL, consume, NULL);
  sem_post(&ready);
  pthread_join(a, NULL);  // BUG
  pthread_join(b, NULL);  // BUG
  sem_destroy(&ready);
  return 0;
}
