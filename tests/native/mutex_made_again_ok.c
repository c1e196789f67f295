// EXPECT: verified 1
// A mutex that was destroyed may be initialised again, in both ways.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void use(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
}

int main(void) {
  use();
  pthread_mutex_init(&mutex, NULL);
  use();
  mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  use();
  return 0;
}
