// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of retry loops: the number of failed tries is used afterwards.
//
// Two tries fail: the load reads 0, the first compare-exchange 1, the second 2. Were the counter dead, "the load might have read 2 at
// once" would be right, and at most one failed turn would remain of one compare-exchange; with the counter stored it is not.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, tries;

int main() {
  std::thread a([] {
    int failed = 0;
    int seen = x.load(std::memory_order_relaxed);
    while (!x.compare_exchange_strong(seen, 3, std::memory_order_relaxed, std::memory_order_relaxed)) ++failed;
    tries.store(failed, std::memory_order_relaxed);
  });
  std::thread b([] {
    x.store(1, std::memory_order_relaxed);
    x.store(2, std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(tries.load(std::memory_order_relaxed) != 2);  // BUG
}
