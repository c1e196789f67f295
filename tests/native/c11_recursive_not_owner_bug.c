// EXPECT: bug lock-misuse guard
#include <stddef.h>
#include <threads.h>

static mtx_t guard;

static int unlock(void* argument) {
  mtx_unlock(&guard);  // BUG
  return argument != NULL;
}

int main(void) {
  thrd_t a;
  mtx_init(&guard, mtx_recursive);
  mtx_lock(&guard);
  thrd_create(&a, unlock, NULL);
  thrd_join(a, NULL);
  mtx_unlock(&guard);
  return 0;
}
