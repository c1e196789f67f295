// EXPECT: verified 1
// The consumer can only go on behind the post.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready;
static int data;

static void* produce(void* argument) {
  data = 1;
  sem_post(&ready);
  return argument;
}

int main(void) {
  pthread_t a;
  sem_init(&ready, 0, 0);
  pthread_create(&a, NULL, produce, NULL);
  sem_wait(&ready);
  assert(data == 1);
  pthread_join(a, NULL);
  sem_destroy(&ready);
  return 0;
}
