// EXPECT: verified 4
// FLAGS: -D_GNU_SOURCE
// What main sees first is 1, and then the try succeeds: 1 class. Or it is 0: then the try succeeds, or it fails, and the timed wait succeeds or
// times out, which it does only where there is nothing: 3 classes.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static sem_t ready, full;
static int data;

static void* produce(void* argument) {
  data = 1;
  sem_post(&ready);
  return argument;
}

int main(void) {
  pthread_t a;
  struct timespec soon;
  int value = -1;
  clock_gettime(CLOCK_REALTIME, &soon);
  ++soon.tv_sec;
  assert(sem_init(&ready, 0, 0) == 0 && sem_init(&full, 0, 2) == 0);
  pthread_create(&a, NULL, produce, NULL);
  assert(sem_getvalue(&ready, &value) == 0 && (value == 0 || value == 1));
  if (sem_trywait(&ready) == 0) {
    assert(data == 1);
  } else {
    assert(errno == EAGAIN && value == 0);
    if (sem_timedwait(&ready, &soon) == 0) assert(data == 1);
    else assert(errno == ETIMEDOUT);
  }
  assert(sem_clockwait(&full, CLOCK_MONOTONIC, &soon) == 0);
  assert(sem_getvalue(&full, &value) == 0 && value == 1);
  pthread_join(a, NULL);
  return 0;
}
