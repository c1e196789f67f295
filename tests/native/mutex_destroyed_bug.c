// EXPECT: bug lock-misuse mutex
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_lock(&mutex);  // BUG
  pthread_mutex_unlock(&mutex);
  return 0;
}
