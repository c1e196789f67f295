// EXPECT: bug data-race shared
// FLAGS: -D_GNU_SOURCE
// Both threads are told of their stacks in the same place.
#include <pthread.h>
#include <stddef.h>

static pthread_attr_t shared;

static void* look(void* argument) {
  pthread_getattr_np(pthread_self(), &shared);  // BUG
  return argument;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, look, NULL);
  look(NULL);
  pthread_join(other, NULL);
  return 0;
}
