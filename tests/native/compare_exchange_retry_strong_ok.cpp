// EXPECT: verified 2
// LEVELS: O0 O2
// One is first: 2. The other's load reads the first's value. (If it reads 0, its compare-exchange fails, having read the first's value: a turn in vain, since the
// load might have read that.)
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
