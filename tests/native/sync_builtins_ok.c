// EXPECT: verified 2
// A lock and a count by the old built-in functions: two orders. Without rounds in vain, which are blocked.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int lock, count, data;

static void* increment(void* argument) {
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
  ++data;
  __sync_lock_release(&lock);
  return argument;
}

int main(void) {
  pthread_t a;
  assert(__sync_fetch_and_add(&count, 2) == 0 && __sync_add_and_fetch(&count, 1) == 3 && __sync_sub_and_fetch(&count, 1) == 2);
  assert(__sync_bool_compare_and_swap(&count, 2, 5) && __sync_val_compare_and_swap(&count, 5, 6) == 5);
  assert(__sync_fetch_and_or(&count, 1) == 6 && __sync_fetch_and_and(&count, 3) == 7 && __sync_fetch_and_xor(&count, 1) == 3);
  __sync_synchronize();
  assert(__atomic_load_n(&count, __ATOMIC_SEQ_CST) == 2 && __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) == 2);
  __atomic_store_n(&count, 0, __ATOMIC_RELEASE);
  pthread_create(&a, NULL, increment, NULL);
  increment(NULL);
  pthread_join(a, NULL);
  assert(data == 2);
  return 0;
}
