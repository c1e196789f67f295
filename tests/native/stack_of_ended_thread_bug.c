// EXPECT: bug use-after-free|data-race
// SHOWS: 'mine' (local of lend)
// The variable is gone when its thread has ended.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

_Atomic(int*) shared;

void* lend(void* unused) {
  int mine = 0;
  atomic_store(&shared, &mine);
  return unused;
}

void* use(void* unused) {
  int* theirs = atomic_load(&shared);
  if (theirs != NULL) *theirs = 42;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, use, NULL);
  pthread_create(&b, NULL, lend, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
