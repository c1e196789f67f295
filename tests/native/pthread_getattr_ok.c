// EXPECT: verified 1
// FLAGS: -D_GNU_SOURCE
// Each thread finds its own variables in the stack that it is told of.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void* look(void* argument) {
  pthread_attr_t attributes;
  void* begin = NULL;
  size_t size = 0;
  int detached = -1;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getstack(&attributes, &begin, &size) == 0);
  assert((char*)&attributes >= (char*)begin && (char*)(&attributes + 1) <= (char*)begin + size);
  assert(pthread_attr_getdetachstate(&attributes, &detached) == 0 && detached == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_destroy(&attributes) == 0);
  return argument;
}

int main(void) {
  pthread_t other;
  assert(pthread_create(&other, NULL, look, NULL) == 0);
  look(NULL);
  assert(pthread_join(other, NULL) == 0);
  return 0;
}
