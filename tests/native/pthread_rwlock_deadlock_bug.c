// EXPECT: bug deadlock
// Both read, then both want to write.
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t one = PTHREAD_RWLOCK_INITIALIZER, two = PTHREAD_RWLOCK_INITIALIZER;

static void* there(void* argument) {
  pthread_rwlock_rdlock(&one);
  pthread_rwlock_wrlock(&two);  // BUG
  pthread_rwlock_unlock(&two);
  pthread_rwlock_unlock(&one);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, there, NULL);
  pthread_rwlock_rdlock(&two);
  pthread_rwlock_wrlock(&one);  // BUG
  pthread_rwlock_unlock(&one);
  pthread_rwlock_unlock(&two);
  pthread_join(a, NULL);
  return 0;
}
