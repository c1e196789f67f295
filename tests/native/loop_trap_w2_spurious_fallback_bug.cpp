// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap W1 in a loop: two tries, then a fallback.
//
// Nobody else writes x, so the fallback is reached by two spurious failures only. After the first one, everything but the counter is as
// it was before: a rule that drops spurious failures in a retry loop, or that ignores the counter, never gets to the fallback.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, slow;
int seen;

int main() {
  std::thread a([] {
    for (int i = 0; i < 2; ++i) {
      int expected = 0;
      if (x.compare_exchange_weak(expected, 3, std::memory_order_relaxed, std::memory_order_relaxed)) return;
    }
    slow.store(1, std::memory_order_relaxed);
  });
  std::thread b([] { seen = x.load(std::memory_order_relaxed); });
  a.join();
  b.join();
  assert(slow.load(std::memory_order_relaxed) == 0);  // BUG
}
