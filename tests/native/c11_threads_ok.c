// EXPECT: verified 2
// C11 threads and mutexes: two sections in two orders.
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t guard;
static int counter;

static int increment(void* unused) {
  (void)unused;
  mtx_lock(&guard);
  ++counter;
  mtx_unlock(&guard);
  return 3;
}

int main(void) {
  thrd_t a, b;
  int result = 0;
  mtx_init(&guard, mtx_plain);
  thrd_create(&a, increment, NULL);
  thrd_create(&b, increment, NULL);
  thrd_join(a, &result);
  assert(result == 3);
  thrd_join(b, NULL);
  assert(counter == 2);
  return 0;
}
