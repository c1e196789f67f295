// EXPECT: bug deadlock
// FLAGS: -D_GNU_SOURCE
// One is woken by a bit that it does not wait for: it sleeps on.
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void* wait_for(void* bit) {
  while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, (int)(size_t)bit);  // BUG
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, wait_for, (void*)1);
  pthread_create(&b, NULL, wait_for, (void*)2);
  atomic_store(&word, 1);
  syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL, 1 | 4);
  pthread_join(a, NULL);  // BUG
  pthread_join(b, NULL);  // BUG
  return 0;
}
