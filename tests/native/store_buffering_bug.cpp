// EXPECT: bug assertion r
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, y;
int r, s;

int main() {
  std::thread a([] { x.store(1, std::memory_order_release); r = y.load(std::memory_order_acquire); });
  std::thread b([] { y.store(1, std::memory_order_release); s = x.load(std::memory_order_acquire); });
  a.join();
  b.join();
  assert(r == 1 || s == 1);  // BUG
}
