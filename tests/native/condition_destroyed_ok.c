// EXPECT: verified 2
// OPTIONS: --no-spurious
// Destroyed when all is over, and made again in its place. The signal comes before the wait, or ends it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_done;

static void* run(void* argument) {
  pthread_mutex_lock(&guard);
  is_done = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&guard);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, run, NULL);
  pthread_mutex_lock(&guard);
  while (!is_done) pthread_cond_wait(&condition, &guard);
  pthread_mutex_unlock(&guard);
  pthread_cond_destroy(&condition);
  pthread_join(a, NULL);
  pthread_cond_init(&condition, NULL);
  pthread_cond_signal(&condition);
  pthread_cond_destroy(&condition);
  return 0;
}
