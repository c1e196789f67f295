// EXPECT: verified
//
// c_refcount_bug.c with an acquire and release decrement: each owner hands its uses on, and the last one receives them all.
//
// Ordeal says: verified.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
  atomic_int owners;
  int value;
};

static void release(struct shared* object) {
  if (atomic_fetch_sub_explicit(&object->owners, 1, memory_order_acq_rel) == 1) free(object);
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
