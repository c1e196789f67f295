// EXPECT: bug data-race data
// FLAGS: -D_GNU_SOURCE
// To be woken synchronises nothing.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;
int data;

static void* set(void* argument) {
  data = 1;  // BUG
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  syscall(SYS_futex, &ready, FUTEX_WAKE, 1, NULL, NULL, 0);
  return argument;
}

int main(void) {
  pthread_t a;
  const struct timespec second = {1, 0};
  pthread_create(&a, NULL, set, NULL);
  while (atomic_load_explicit(&ready, memory_order_relaxed) == 0) syscall(SYS_futex, &ready, FUTEX_WAIT, 0, &second, NULL, 0);
  data = 2;  // BUG
  pthread_join(a, NULL);
  return 0;
}
