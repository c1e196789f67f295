// EXPECT: bug data-race
// The pointer is read with relaxed order: the allocation does not happen before the write.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int*) shared;

void* allocate(void* unused) {
  atomic_store(&shared, malloc(sizeof(int)));  // BUG
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, allocate, NULL);
  int* block = atomic_load_explicit(&shared, memory_order_relaxed);
  if (block != NULL) *block = 1;  // BUG
  pthread_join(thread, NULL);
  free(atomic_load(&shared));
  return 0;
}
