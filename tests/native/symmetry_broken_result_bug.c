// EXPECT: bug assertion
// OPTIONS: --symmetry
// SHOWS: note: no use of symmetry: what thread 2 returns is asked for
// The bug is there if the second thread comes first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int counter;

static void* run(void* argument) {
  (void)argument;
  return (void*)(intptr_t)atomic_fetch_add(&counter, 1);
}

int main(void) {
  pthread_t a, b;
  void *of_a, *of_b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, &of_a);
  pthread_join(b, &of_b);
  assert((intptr_t)of_a < (intptr_t)of_b);  // BUG
}
