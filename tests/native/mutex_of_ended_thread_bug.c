// EXPECT: bug deadlock guard
// A thread ends with the lock; nobody joins anybody.
#include <pthread.h>

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void* lock_it(void* unused) {
  pthread_mutex_lock(&guard);  // BUG
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, lock_it, NULL);
  pthread_create(&second, NULL, lock_it, NULL);
  return 0;
}
