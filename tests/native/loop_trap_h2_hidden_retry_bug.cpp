// EXPECT: bug assertion tries
// LEVELS: O0 O2
// Trap H2: a failed try that changes memory unseen.
//
// The load could have read at once what the failed compare-exchange returned, and would have come to the same compare-exchange. But a function
// that is not instrumented has counted the try. Whoever tries that out sees nothing of it, and leaves the turn out.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

__attribute__((noinline, no_sanitize("thread"))) int count(int by) {
  static int tries;
  return tries += by;
}

int main() {
  std::thread a([] {
    int seen = x.load(std::memory_order_relaxed);
    do {
      count(1);
    } while (!x.compare_exchange_strong(seen, seen + 2, std::memory_order_relaxed, std::memory_order_relaxed));
  });
  std::thread b([] { x.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
  const int tries = count(0);
  assert(tries == 1);  // BUG
}
