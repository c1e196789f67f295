// EXPECT: bug deadlock barrier
// For three, but there are two.
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void* there(void* argument) {
  pthread_barrier_wait(&barrier);  // BUG
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_barrierattr_t attributes;
  int shared;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE);
  pthread_barrierattr_getpshared(&attributes, &shared);
  pthread_barrier_init(&barrier, &attributes, 3);
  pthread_barrierattr_destroy(&attributes);
  pthread_create(&a, NULL, there, NULL);
  pthread_barrier_wait(&barrier);  // BUG
  pthread_join(a, NULL);
  pthread_barrier_destroy(&barrier);
  return 0;
}
