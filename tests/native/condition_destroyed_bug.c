// EXPECT: bug data-race|lock-misuse condition
// Destroyed while the other thread is about to notify: nothing orders the two.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_done;

static void* run(void* argument) {
  pthread_mutex_lock(&guard);
  is_done = 1;
  pthread_mutex_unlock(&guard);
  pthread_cond_signal(&condition);  // BUG
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, run, NULL);
  pthread_mutex_lock(&guard);
  while (!is_done) pthread_cond_wait(&condition, &guard);
  pthread_mutex_unlock(&guard);
  pthread_cond_destroy(&condition);  // BUG
  pthread_join(a, NULL);
  return 0;
}
