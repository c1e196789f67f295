// EXPECT: bug deadlock guard
// A mutex of the normal kind does not return an error to who holds it already: he waits for ever.
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&guard);
  return pthread_mutex_lock(&guard);  // BUG
}
