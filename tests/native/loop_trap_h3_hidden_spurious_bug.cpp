// EXPECT: bug assertion failures
// LEVELS: O0 O2
// Trap H3: a spurious failure that changes memory unseen.
//
// Nobody else writes x: the compare-exchange fails without reason only, and then comes back to where it was. But a function that is not instrumented has
// counted the failure.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

__attribute__((noinline, no_sanitize("thread"))) int count(int by) {
  static int failures;
  return failures += by;
}

int main() {
  std::thread a([] {
    for (;;) {
      int expected = 0;
      if (x.compare_exchange_weak(expected, 1, std::memory_order_relaxed, std::memory_order_relaxed)) break;
      if (count(1) == 2) break;
    }
  });
  std::thread b([] { x.load(std::memory_order_relaxed); });
  a.join();
  b.join();
  const int failures = count(0);
  assert(failures == 0);  // BUG
}
