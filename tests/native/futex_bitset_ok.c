// EXPECT: verified
// FLAGS: -D_GNU_SOURCE
// Two wait for one word, each for a bit of its own. Each is woken by its bit, and by no other.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void* wait_for(void* bit) {
  while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, (int)(size_t)bit);
  return NULL;
}

int main(void) {
  assert(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 0) == -1 && errno == EINVAL);
  assert(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, 0) == -1 && errno == EINVAL);
  pthread_t a, b;
  pthread_create(&a, NULL, wait_for, (void*)1);
  pthread_create(&b, NULL, wait_for, (void*)6);
  assert(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL, 8) == 0);
  atomic_store(&word, 1);
  assert(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL, 1) <= 1);
  assert(syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 2 | 8) <= 1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
