// EXPECT: verified 4
// OPTIONS: --load-buffering
// No value comes out of thin air: only 0 can be promised. Each load reads the first value or the store: 4.
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x, y;
int r1, r2;
int main() {
  std::thread a([] {
    r1 = x.load(std::memory_order_relaxed);
    y.store(r1, std::memory_order_relaxed);
  });
  std::thread b([] {
    r2 = y.load(std::memory_order_relaxed);
    x.store(r2, std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(r1 == 0 && r2 == 0);
}
