// EXPECT: verified 4
// One is first. The other's load reads 0 (its first compare-exchange fails, the second succeeds) or the first's value: 2 × 2 = 4.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

void add() {
  int seen = x.load(std::memory_order_relaxed);
  while (!x.compare_exchange_strong(seen, seen + 1, std::memory_order_relaxed)) {
  }
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(x == 2);
}
