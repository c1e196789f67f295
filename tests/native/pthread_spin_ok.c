// EXPECT: verified 3
// OPTIONS: --no-spurious
// Two threads; the second tries first, and waits if that fails. It comes first, or second; then its try was in time, or failed.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int counter;

static void* increment(void* argument) {
  pthread_spin_lock(&lock);
  ++counter;
  pthread_spin_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t a;
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  pthread_create(&a, NULL, increment, NULL);
  const int result = pthread_spin_trylock(&lock);
  assert(result == 0 || result == EBUSY);
  if (result != 0) pthread_spin_lock(&lock);
  ++counter;
  pthread_spin_unlock(&lock);
  pthread_join(a, NULL);
  assert(counter == 2);
  assert(pthread_spin_destroy(&lock) == 0);
  return 0;
}
