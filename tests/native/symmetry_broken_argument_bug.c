// EXPECT: bug assertion
// OPTIONS: --symmetry
// SHOWS: note: no use of symmetry: main accesses the argument of thread 1
// The threads' arguments have the same content, but main keeps them apart: the bug is there if the second thread comes first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int counter;

static void* run(void* argument) {
  *(int*)argument = atomic_fetch_add(&counter, 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  int *of_a = calloc(1, sizeof(int)), *of_b = calloc(1, sizeof(int));
  pthread_create(&a, 0, run, of_a);
  pthread_create(&b, 0, run, of_b);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(*of_a < *of_b);  // BUG
  free(of_a);
  free(of_b);
}
