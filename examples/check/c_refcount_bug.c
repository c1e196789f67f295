// EXPECT: bug data-race
//
// In C: an object with a reference count, which its last owner frees. The decrement is relaxed, so nothing orders the other
// owner's last use before the free().
//
// Ordeal says: data race on the block, between free() and a use of it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
  atomic_int owners;
  int value;
};

static void release(struct shared* object) {
  if (atomic_fetch_sub_explicit(&object->owners, 1, memory_order_relaxed) == 1) free(object);
}

static void* use(void* argument) {
  struct shared* object = argument;
  assert(object->value == 7);
  release(object);
  return NULL;
}

int main(void) {
  struct shared* object = malloc(sizeof *object);
  atomic_init(&object->owners, 2);
  object->value = 7;
  pthread_t first, second;
  pthread_create(&first, NULL, use, object);
  pthread_create(&second, NULL, use, object);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}
