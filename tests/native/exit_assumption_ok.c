// EXPECT: verified 1
// BLOCKED: 1
// The load reads 1 in one execution. In the other the assumption fails; that counts as blocked although main has returned.
#include <ordeal/ordeal.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int x;

void* assume_one(void* unused) {
  (void)unused;
  ordeal_assume(atomic_load(&x) == 1);
  return NULL;
}
void* store_one(void* unused) {
  (void)unused;
  atomic_store(&x, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, assume_one, NULL);
  pthread_create(&thread, NULL, store_one, NULL);
  return 0;
}
