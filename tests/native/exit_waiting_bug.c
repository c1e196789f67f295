// EXPECT: bug deadlock ready
// SHOWS: main has returned without a join
// The notification is lost if it comes before the wait. Main does not join.
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

void* wait(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&ready, &mutex);  // BUG
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  pthread_cond_signal(&ready);
  return 0;
}
