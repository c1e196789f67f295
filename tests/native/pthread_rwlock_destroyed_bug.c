// EXPECT: bug lock-misuse locks a read-write lock that was destroyed
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock;

int main(void) {
  pthread_rwlock_init(&lock, NULL);
  pthread_rwlock_destroy(&lock);
  pthread_rwlock_wrlock(&lock);  // BUG
  return 0;
}
