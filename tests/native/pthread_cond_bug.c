// EXPECT: bug lock-misuse guard
// The mutex is not held at the wait.
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void) {
  pthread_cond_wait(&changed, &guard);  // BUG
  return 0;
}
