// EXPECT: cannot-check robust mutex
#include <pthread.h>

int main(void) {
  pthread_mutex_t mutex;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  return pthread_mutex_init(&mutex, &attributes);
}
