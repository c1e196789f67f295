// EXPECT: verified 6
// LEVELS: O0 O1 O2 O3
// Three threads count in a retry loop, and each has a flag of its own that says whether it is at it.
//
// 6 classes, as without the flags: the orders of the three successful compare-exchanges. A turn in which one fails leaves the flag as it was.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter, busy[3];

void add(int self) {
  for (;;) {
    busy[self].store(1, std::memory_order_relaxed);
    int seen = counter.load(std::memory_order_acquire);
    if (counter.compare_exchange_strong(seen, seen + 1, std::memory_order_acq_rel, std::memory_order_acquire)) break;
    busy[self].store(0, std::memory_order_relaxed);
  }
  busy[self].store(0, std::memory_order_relaxed);
}

int main() {
  std::thread a(add, 0), b(add, 1), c(add, 2);
  a.join();
  b.join();
  c.join();
  assert(counter.load() == 3 && busy[0].load() == 0);
}
