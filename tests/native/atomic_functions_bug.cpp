// EXPECT: bug data-race data
// Relaxed operations and a fence for the compiler order nothing between threads.
#include <atomic>
#include <thread>

std::atomic<int> number{12};
int data;

int main() {
  static_assert(std::atomic<int>::is_always_lock_free);
  constexpr std::memory_order order = std::memory_order_relaxed;
  std::thread a([] {
    data = 1;  // BUG
    std::atomic_signal_fence(std::memory_order_seq_cst);
    number.fetch_or(1, order);
    number.fetch_xor(0, order);
    number.notify_all();
  });
  std::atomic_flag flag;
  if (flag.test() || flag.test_and_set()) return 1;
  flag.clear();
  number.fetch_sub(0, order);
  number.fetch_and(15, order);
  if (number.is_lock_free() && (number.load(order) & 1) != 0) data = 2;  // BUG
  a.join();
}
