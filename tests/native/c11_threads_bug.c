// EXPECT: bug data-race counter
// As c11_threads_ok, but one of them does not lock.
#include <stddef.h>
#include <threads.h>

static mtx_t guard;
static int counter;

static int increment(void* locks) {
  if (locks != NULL) mtx_lock(&guard);
  ++counter;  // BUG
  if (locks != NULL) mtx_unlock(&guard);
  return 0;
}

int main(void) {
  thrd_t a, b;
  mtx_init(&guard, mtx_plain);
  thrd_create(&a, increment, &guard);
  thrd_create(&b, increment, NULL);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  return 0;
}
