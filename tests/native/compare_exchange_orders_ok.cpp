// EXPECT: verified 3
// Orders that are known at run time only. b's compare-exchange fails (reads 0: the producer has not been seen) or succeeds with
// acquire (reads 1), and then sees the data. Reads 0 or 1: 2 classes for the order acquire; the third is a spurious failure.
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<int> flag;
volatile int chosen = 2;

int main() {
  std::thread a([] {
    data = 1;
    flag.store(1, std::memory_order_release);
  });
  std::thread b([] {
    const auto order = static_cast<std::memory_order>(chosen);
    int expected = 1;
    if (flag.compare_exchange_weak(expected, 2, order, std::memory_order_relaxed)) assert(data == 1);
  });
  a.join();
  b.join();
}
