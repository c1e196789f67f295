// EXPECT: verified
// The variable of a thread is used by another one, which says so before the owner ends.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

_Atomic(int*) shared;
atomic_int done;

void* lend(void* unused) {
  int mine = 0;
  atomic_store_explicit(&shared, &mine, memory_order_release);
  while (atomic_load_explicit(&done, memory_order_acquire) == 0) {
  }
  assert(mine == 42);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, lend, NULL);
  int* theirs;
  while ((theirs = atomic_load_explicit(&shared, memory_order_acquire)) == NULL) {
  }
  *theirs = 42;
  atomic_store_explicit(&done, 1, memory_order_release);
  pthread_join(thread, NULL);
  return 0;
}
