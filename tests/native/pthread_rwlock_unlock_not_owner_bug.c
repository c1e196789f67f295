// EXPECT: bug lock-misuse unlocks a read-write lock that another thread holds
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* unlock(void* argument) {
  pthread_rwlock_unlock(&lock);  // BUG
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_rwlock_rdlock(&lock);
  pthread_create(&a, NULL, unlock, NULL);
  pthread_join(a, NULL);
  return 0;
}
