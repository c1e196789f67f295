// EXPECT: cannot-check a stack of more than 8 MB
// Right as it is: the thread has been given 64 MB. Ordeal has 8 MB for each.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void* fill(void* unused) {
  char large[20 << 20];
  memset(large, 1, sizeof large);
  assert(large[(20 << 20) - 1] == 1);
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 20);
  pthread_t thread;
  pthread_create(&thread, &attributes, fill, 0);
  pthread_join(thread, 0);
  pthread_attr_destroy(&attributes);
}
