// EXPECT: bug no-progress
// LEVELS: O0 O2
// A turn of three loads that leads back, whatever the last one reads (z never changes): a thread that waits before that load may wait forever.
//
// It does if y ends with 3: d's exchange came before b's. Before that comes up, the thread has been stopped in many executions in which x and y were still to become equal.
#include <atomic>
#include <thread>

std::atomic<int> x, y, z, order;

int main() {
  std::thread a([] {
    x.store(1, std::memory_order_relaxed);
    x.store(2, std::memory_order_relaxed);
  });
  std::thread b([] {
    y.store(1, std::memory_order_relaxed);
    y.store(order.exchange(1, std::memory_order_relaxed) == 0 ? 2 : 3, std::memory_order_relaxed);
  });
  std::thread c([] {
    for (;;) {
      const int p = x.load(std::memory_order_relaxed);  // BUG
      const int s = y.load(std::memory_order_relaxed);  // BUG
      const int q = z.load(std::memory_order_relaxed);  // BUG
      if (p == s && q == 0) break;
    }
  });
  std::thread d([] { order.exchange(2, std::memory_order_relaxed); });
  a.join();
  b.join();
  c.join();  // BUG
  d.join();
}
