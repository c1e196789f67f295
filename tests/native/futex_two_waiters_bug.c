// EXPECT: bug deadlock
// FLAGS: -D_GNU_SOURCE
// Two wait, one is woken. (That a wait may find another value and come back at once must not teach anybody that the old value is read in vain.)
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void* wait_for(void* bit) {
  while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);  // BUG
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, wait_for, (void*)1);
  pthread_create(&b, NULL, wait_for, (void*)2);
  atomic_store(&word, 1);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
  pthread_join(a, NULL);  // BUG
  pthread_join(b, NULL);  // BUG
  return 0;
}
