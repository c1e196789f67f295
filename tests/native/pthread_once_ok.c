// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;
static void init(void) { ++calls; }

static void* use(void* argument) {
  pthread_once(&once, init);
  assert(calls == 1);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, use, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
