// EXPECT: verified 2
// Whoever is the last to let go of an object destroys its mutex, at once: POSIX allows it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int users = 2;

static void* let_go(void* argument) {
  pthread_mutex_lock(&mutex);
  const int left = --users;
  pthread_mutex_unlock(&mutex);
  if (left == 0) pthread_mutex_destroy(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, let_go, NULL);
  let_go(NULL);
  pthread_join(thread, NULL);
  return 0;
}
