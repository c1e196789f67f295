// EXPECT: bug data-race message
// OPTIONS: --no-spurious
// The fences are the wrong way round.
#include <atomic>
#include <cassert>
#include <thread>

using namespace std;  // as a program that comes from C may have it

atomic<int> number;
atomic_flag flag = ATOMIC_FLAG_INIT;
int message;

void run() {
  message = 1;  // BUG
  atomic_thread_fence(memory_order_acquire);
  atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed);
}

int main() {
  int seen = 6;
  atomic_init(&number, 6);
  assert(atomic_is_lock_free(&number));
  assert(atomic_fetch_sub(&number, 1) == 6 && atomic_fetch_sub_explicit(&number, 1, memory_order_relaxed) == 5);
  assert(atomic_fetch_or(&number, 3) == 4 && atomic_fetch_or_explicit(&number, 8, memory_order_relaxed) == 7);
  assert(atomic_fetch_and(&number, 6) == 15 && atomic_fetch_and_explicit(&number, 4, memory_order_relaxed) == 6);
  assert(atomic_fetch_xor(&number, 1) == 4 && atomic_fetch_xor_explicit(&number, 1, memory_order_relaxed) == 5);
  assert(atomic_fetch_add(&number, 1) == 4 && atomic_fetch_add_explicit(&number, 1, memory_order_relaxed) == 5);
  assert(atomic_exchange(&number, 7) == 6 && atomic_exchange_explicit(&number, 6, memory_order_relaxed) == 7);
  assert(atomic_compare_exchange_strong(&number, &seen, 1));
  seen = 1;
  while (!atomic_compare_exchange_weak(&number, &seen, 2)) {
  }
  seen = 2;
  while (!atomic_compare_exchange_weak_explicit(&number, &seen, 3, memory_order_relaxed, memory_order_relaxed)) {
  }
  seen = 3;
  assert(atomic_compare_exchange_strong_explicit(&number, &seen, 4, memory_order_relaxed, memory_order_relaxed));
  atomic_store(&number, 5);
  atomic_store_explicit(&number, kill_dependency(6), memory_order_relaxed);
  assert(atomic_load(&number) == 6 && atomic_load_explicit(&number, memory_order_relaxed) == 6);
  static_assert(atomic_ref<int>::required_alignment == alignof(int));
  atomic_wait(&number, 5);
  atomic_wait_explicit(&number, 5, memory_order_relaxed);
  atomic_notify_one(&number);
  atomic_notify_all(&number);
  atomic_signal_fence(memory_order_seq_cst);
  assert(!atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  atomic_flag_clear_explicit(&flag, memory_order_relaxed);
  thread a(run);
  if (atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_release);
    assert(message == 1);  // BUG
  }
  a.join();
}
