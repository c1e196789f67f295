// EXPECT: bug lock-misuse joins a thread for the second time
// Two threads join the same one, whoever is first.
#include <pthread.h>
#include <stddef.h>

static pthread_t a;

static void* run(void* argument) { return argument; }
static void* join(void* argument) {
  pthread_join(a, NULL);  // BUG
  return argument;
}

int main(void) {
  pthread_t b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, join, NULL);
  pthread_join(a, NULL);  // BUG
  pthread_join(b, NULL);
  return 0;
}
