// EXPECT: cannot-check pthread_cleanup_push
// In C its handlers would not be run by pthread_exit.
#include <pthread.h>
#include <stddef.h>

static void clean(void* argument) { (void)argument; }

int main(void) {
  pthread_cleanup_push(clean, NULL);
  pthread_cleanup_pop(1);
  return 0;
}
