// EXPECT: bug lock-misuse joins a thread for the second time
#include <pthread.h>
#include <stddef.h>

static void* run(void* argument) { return argument; }

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, run, NULL);
  pthread_join(a, NULL);
  pthread_join(a, NULL);  // BUG
  return 0;
}
