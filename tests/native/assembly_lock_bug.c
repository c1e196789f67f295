// EXPECT: cannot-check inline assembly
// What happens in assembly is seen by nobody, so that "verified" would be a lie.
#include <pthread.h>
#include <stddef.h>

static int counter;

static void* increment(void* unused) {
  (void)unused;
  __asm__ volatile("lock; incl %0" : "+m"(counter) : : "memory");
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, increment, NULL);
  increment(NULL);
  pthread_join(thread, NULL);
  return counter != 2;
}
