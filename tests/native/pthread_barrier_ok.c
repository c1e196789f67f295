// EXPECT: verified 2
// BLOCKED: 0
// Two arrive, in two orders; what each did before, the other sees behind. One of them is the serial thread. Then the same memory becomes
// another barrier.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int mine, yours, serial[2];

static void* there(void* argument) {
  yours = 1;
  serial[1] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  assert(mine == 1);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_barrierattr_t attributes;
  int shared = -1;
  assert(pthread_barrierattr_init(&attributes) == 0 && pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_barrierattr_getpshared(&attributes, &shared) == 0 && shared == PTHREAD_PROCESS_PRIVATE);
  assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
  assert(pthread_barrier_init(&barrier, &attributes, 2) == 0);
  assert(pthread_barrierattr_destroy(&attributes) == 0);
  pthread_create(&a, NULL, there, NULL);
  mine = 1;
  serial[0] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  assert(yours == 1);
  pthread_join(a, NULL);
  assert(serial[0] + serial[1] == 1);
  assert(pthread_barrier_destroy(&barrier) == 0);
  assert(pthread_barrier_init(&barrier, NULL, 1) == 0);
  assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
  return 0;
}
