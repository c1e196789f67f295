// EXPECT: verified
// The other thread goes on when main has left.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static void* run(void* argument) {
  atomic_store(&x, 1);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, run, NULL);
  pthread_exit(NULL);
}
