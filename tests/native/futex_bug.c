// EXPECT: bug deadlock
// FLAGS: -D_GNU_SOURCE
// OPTIONS: --no-spurious
// The wake comes before the store: whoever looked before the store and sleeps behind the wake is never woken.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;

static void* set(void* argument) {
  syscall(SYS_futex, &ready, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  atomic_store(&ready, 1);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, set, NULL);
  while (atomic_load(&ready) == 0) syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);  // BUG
  pthread_join(a, NULL);
  return 0;
}
