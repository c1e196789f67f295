// EXPECT: verified 1
// One thread: what each operation returns and leaves.
#include <atomic>
#include <cassert>

std::atomic<int> number{12};

int main() {
  static_assert(std::atomic<int>::is_always_lock_free);
  assert(number.is_lock_free());
  constexpr std::memory_order order = std::memory_order_relaxed;
  assert(number.fetch_sub(4, order) == 12 && number.fetch_and(12) == 8 && number.fetch_or(3) == 8 && number.fetch_xor(1) == 11);
  assert(number.load() == 10);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  number.notify_all();
  std::atomic_flag flag;
  assert(!flag.test() && !flag.test_and_set() && flag.test());
  flag.clear();
}
