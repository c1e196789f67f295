// EXPECT: verified 3
// Without load buffering: LB has four combinations of what is read, less the one with a cycle.
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x, y;
int r1, r2;
int main() {
  std::thread a([] {
    r1 = x.load(std::memory_order_relaxed);
    y.store(1, std::memory_order_relaxed);
  });
  std::thread b([] {
    r2 = y.load(std::memory_order_relaxed);
    x.store(1, std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(!(r1 == 1 && r2 == 1));
}
