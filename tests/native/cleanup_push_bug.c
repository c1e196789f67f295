// EXPECT: bug deadlock
// FLAGS: -D_GNU_SOURCE
// The handler that unlocks is popped without being run.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void* argument) { pthread_mutex_unlock(argument); }

static void* leave(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_cleanup_push_defer_np(unlock, &mutex);
  pthread_cleanup_pop_restore_np(0);
  pthread_cleanup_pop(0);
  pthread_exit(NULL);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, leave, NULL);
  pthread_join(a, NULL);
  pthread_mutex_lock(&mutex);  // BUG
  return 0;
}
