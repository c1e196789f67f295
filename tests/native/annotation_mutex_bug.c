// EXPECT: bug data-race data
// A lock made of a relaxed flag: it says when it is given back, but not that it is taken.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __tsan_mutex_create(void*, unsigned);
void __tsan_mutex_pre_lock(void*, unsigned);
void __tsan_mutex_post_lock(void*, unsigned, int);
int __tsan_mutex_pre_unlock(void*, unsigned);
void __tsan_mutex_post_unlock(void*, unsigned);

atomic_int held;
int data;

void* add(void* unused) {
  int free = 0;
  while (!atomic_compare_exchange_strong_explicit(&held, &free, 1, memory_order_relaxed, memory_order_relaxed)) free = 0;
  ++data;  // BUG
  __tsan_mutex_pre_unlock(&held, 0);
  atomic_store_explicit(&held, 0, memory_order_relaxed);
  __tsan_mutex_post_unlock(&held, 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  __tsan_mutex_create(&held, 0);
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(data == 2);
}
