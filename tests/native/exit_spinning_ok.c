// EXPECT (O2): verified 6
// EXPECT (O0): verified
// OPTIONS: --model rc11 --no-spurious
// A ticket lock; main returns without joining. Three threads, so 3! orders of the tickets. A thread that waited for its turn
// and saw nothing new is no execution of its own, although the process has ended. (-O0 keeps what was read on the stack, so the
// first round of a loop differs from the next: docs/check.md.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int next, owner;
intptr_t shared;

void* use(void* mine) {
  const int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&owner, memory_order_acquire) != ticket) {
  }
  shared = (intptr_t)mine;
  assert(shared == (intptr_t)mine);
  atomic_store_explicit(&owner, ticket + 1, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t thread;
  for (intptr_t i = 0; i < 3; ++i) pthread_create(&thread, NULL, use, (void*)i);
  return 0;
}
