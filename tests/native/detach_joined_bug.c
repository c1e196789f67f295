// EXPECT: bug lock-misuse detaches a thread that is joined
#include <pthread.h>
#include <stddef.h>

static void* run(void* argument) { return argument; }

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_detach(a);  // BUG
  return 0;
}
