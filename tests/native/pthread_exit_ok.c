// EXPECT: verified 1
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int result = 5;
static void leave(int depth) {
  if (depth == 0) pthread_exit(&result);
  leave(depth - 1);
}
static void* run(void* argument) {
  leave(3);
  return argument;
}

int main(void) {
  pthread_t a;
  void* returned = NULL;
  pthread_create(&a, NULL, run, NULL);
  pthread_join(a, &returned);
  assert(returned == &result);
  return 0;
}
