// EXPECT: bug no-progress x
// SHOWS: main has returned without a join
// Main returns, and the thread, which nobody has joined or detached, waits for a value that nobody stores.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int x;

void* wait(void* unused) {
  (void)unused;
  while (atomic_load(&x) == 0) {  // BUG
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  return 0;
}
