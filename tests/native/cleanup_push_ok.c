// EXPECT: verified 2
// FLAGS: -D_GNU_SOURCE
// Handlers run when they are popped with 1, and when pthread_exit leaves the function. The two threads lock in either order.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int cleaned;

static void clean(void* by) { cleaned += *(int*)by; }
static void unlock(void* argument) { pthread_mutex_unlock(argument); }

static void* leave(void* argument) {
  static int ten = 10, hundred = 100;
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_cleanup_push(clean, &ten);
  pthread_cleanup_push_defer_np(clean, &hundred);
  pthread_cleanup_pop_restore_np(0);
  pthread_exit(NULL);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return argument;
}

int main(void) {
  pthread_t a;
  static int one = 1;
  pthread_create(&a, NULL, leave, NULL);
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  clean(&one);
  pthread_cleanup_pop(1);
  pthread_join(a, NULL);
  assert(cleaned == 11);
  return 0;
}
