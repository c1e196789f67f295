// EXPECT: verified
// FLAGS: -D_GNU_SOURCE
// A mutex with three states: 0 free, 1 held, 2 held and somebody may wait.
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int counter;

static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&word, &seen, 1)) return;
  if (seen != 2) seen = atomic_exchange(&word, 2);
  while (seen != 0) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    seen = atomic_exchange(&word, 2);
  }
}
static void unlock(void) {
  if (atomic_exchange(&word, 0) == 2) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void* increment(void* argument) {
  lock();
  ++counter;
  unlock();
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, increment, NULL);
  increment(NULL);
  pthread_join(a, NULL);
  assert(counter == 2);
  return 0;
}
