// EXPECT: bug deadlock changed
// The signal may come before the wait: then nobody wakes it.
#include <stddef.h>
#include <threads.h>

static mtx_t guard;
static cnd_t changed;

static int wait(void* unused) {
  (void)unused;
  mtx_lock(&guard);
  cnd_wait(&changed, &guard);  // BUG
  mtx_unlock(&guard);
  return 0;
}

int main(void) {
  thrd_t waiter;
  mtx_init(&guard, mtx_plain);
  cnd_init(&changed);
  thrd_create(&waiter, wait, NULL);
  mtx_lock(&guard);
  cnd_signal(&changed);
  mtx_unlock(&guard);
  thrd_join(waiter, NULL);  // BUG
  return 0;
}
