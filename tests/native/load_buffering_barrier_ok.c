// EXPECT: verified 2
// OPTIONS: --load-buffering
// Nothing is promised to those who arrive at a barrier: two orders, as without. (It crashed.)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int mine, yours;

static void* there(void* argument) {
  yours = 1;
  pthread_barrier_wait(&barrier);
  assert(mine == 1);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, there, NULL);
  mine = 1;
  pthread_barrier_wait(&barrier);
  assert(yours == 1);
  pthread_join(a, NULL);
  return 0;
}
