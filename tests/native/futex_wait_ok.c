// EXPECT: verified 4
// FLAGS: -D_GNU_SOURCE
// OPTIONS: --no-spurious
// main sleeps once if it sees 0, and then looks, with acquire, until it is 1. Its first load sees 1: the wake comes behind, with nobody
// there: 1 class. It sees 0: the wait comes behind the wake, and so sees 1 (EAGAIN); or before it, and sees 1; or sees 0, and is woken:
// 3 classes.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;
static int data;

static void* set(void* argument) {
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_release);
  const long woken = syscall(SYS_futex, &ready, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL, FUTEX_BITSET_MATCH_ANY);
  assert(woken == 0 || woken == 1);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, set, NULL);
  if (atomic_load_explicit(&ready, memory_order_acquire) == 0) {
    const long result = syscall(SYS_futex, &ready, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, FUTEX_BITSET_MATCH_ANY);
    assert(result == 0 || (result == -1 && errno == EAGAIN));
  }
  while (atomic_load_explicit(&ready, memory_order_acquire) == 0) {
  }
  assert(data == 1);
  pthread_join(a, NULL);
  return 0;
}
