// EXPECT: bug deadlock
// FLAGS: -D_GNU_SOURCE
// Both wait for the bit, one is woken: either of them.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void* wait_for(void* bits) {
  while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, (int)(size_t)bits);
  if ((size_t)bits == 2) syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 1);  // only this one wakes the other
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, wait_for, (void*)3);
  pthread_create(&b, NULL, wait_for, (void*)2);
  atomic_store(&word, 1);
  syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
