// EXPECT: verified 36
// BLOCKED: 0
// Three threads meet twice: 3! orders of arrival in each round. In the second round each sees what all have done in the first.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int done[3];

static void* run(void* argument) {
  done[(long)argument] = 1;
  pthread_barrier_wait(&barrier);
  assert(done[0] + done[1] + done[2] == 3);
  pthread_barrier_wait(&barrier);
  done[(long)argument] = 2;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_create(&a, NULL, run, (void*)1);
  pthread_create(&b, NULL, run, (void*)2);
  run(NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(done[0] + done[1] + done[2] == 6);
  pthread_barrier_destroy(&barrier);
  return 0;
}
