// EXPECT: verified 3
// litmus sb/SB+scs in C.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r, s;

static void* first(void* argument) {
  atomic_store(&x, 1);
  r = atomic_load(&y);
  return argument;
}
static void* second(void* argument) {
  y = 1;
  s = x;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r == 1 || s == 1);
  return 0;
}
