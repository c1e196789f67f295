// EXPECT: bug lock-misuse destroys a read-write lock that is held
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock;

int main(void) {
  pthread_rwlock_init(&lock, NULL);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_destroy(&lock);  // BUG
  return 0;
}
