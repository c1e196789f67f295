// EXPECT: verified 8..
// EXPECT (O2): verified 8
// EXPECT (clang O2): verified 8..14
// The compare-exchange puts back what is there, and so seems to lead back to the load. But it may fail without reason, and then the
// thread has done. It has read 3, or 0, 1 or 2 and failed: 4 ways, times 2 for what another load reads, which only makes more executions.
// With Clang a turn that reads 0, 1 or 2 and puts back what is there may be kept before the one that reads 3: 3 ways more, 7 × 2 = 14.
#include <atomic>
#include <thread>

std::atomic<int> step, same, more;

int main() {
  std::thread waiter([] {
    for (;;) {
      if (step.load(std::memory_order_relaxed) == 3) return;
      int expected = 0;
      if (!same.compare_exchange_weak(expected, 0, std::memory_order_relaxed)) return;
    }
  });
  std::thread writer([] {
    for (int i = 1; i <= 3; ++i) step.store(i, std::memory_order_relaxed);
  });
  std::thread one([] { more.store(1, std::memory_order_relaxed); });
  std::thread two([] { more.load(std::memory_order_relaxed); });
  waiter.join();
  writer.join();
  one.join();
  two.join();
}
