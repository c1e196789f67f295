// EXPECT: bug assertion
// OPTIONS: --load-buffering
// SHOWS: a value that is stored later
// LB of the litmus tests: each load reads the store behind the other one.
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
  assert(!(r1 == 1 && r2 == 1));  // BUG
}
