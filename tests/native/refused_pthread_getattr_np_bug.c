// EXPECT: cannot-check pthread_getattr_np
// FLAGS: -D_GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static void* run(void* argument) { return argument; }

int main(void) {
  pthread_t a;
  char name[16];
  pthread_attr_t attributes;
  (void)name, (void)attributes;
  pthread_create(&a, NULL, run, NULL);
  pthread_getattr_np(a, &attributes);
  pthread_join(a, NULL);
  return 0;
}
