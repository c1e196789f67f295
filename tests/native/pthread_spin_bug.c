// EXPECT: bug data-race counter
// It does not look whether it got the lock.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
int counter;

static void* increment(void* argument) {
  pthread_spin_lock(&lock);
  ++counter;  // BUG
  pthread_spin_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, NULL, increment, NULL);
  const int result = pthread_spin_trylock(&lock);
  ++counter;  // BUG
  if (result == 0) pthread_spin_unlock(&lock);
  pthread_join(a, NULL);
  pthread_spin_destroy(&lock);
  return 0;
}
