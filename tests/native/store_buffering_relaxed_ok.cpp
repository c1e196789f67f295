// EXPECT: verified 4
// litmus sb/SB: each of the two loads reads 0 or 1.
#include <atomic>
#include <thread>

std::atomic<int> x, y;

int main() {
  std::thread a([] { x.store(1, std::memory_order_relaxed); (void)y.load(std::memory_order_relaxed); });
  std::thread b([] { y.store(1, std::memory_order_relaxed); (void)x.load(std::memory_order_relaxed); });
  a.join();
  b.join();
}
