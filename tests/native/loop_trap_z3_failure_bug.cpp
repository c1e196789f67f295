// EXPECT: bug assertion
// LEVELS: O0 O1 O2 O3
// Trap Z3 of turns that take something and give it back: a compare-exchange fails because of it.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;
bool failed;

/// Takes 1 if there is one. A turn in vain gives it back, and waits.
void take() {
  while (x.fetch_sub(1, std::memory_order_acquire) < 1) {
    x.fetch_add(1, std::memory_order_relaxed);
    while (x.load(std::memory_order_relaxed) < 1) {
    }
  }
}

/// So that the search looks at x from its first execution on.
void begin() {
  for (int i = 0; i < 2; ++i) x.fetch_add(-1), x.fetch_add(1);
}

int main() {
  std::thread(begin).join();
  std::thread t1([] {
    take();
  });
  std::thread t2([] {
    int expected = 0;
    failed = !x.compare_exchange_strong(expected, 1, std::memory_order_relaxed);
    if (failed) x.fetch_add(1, std::memory_order_relaxed);
  });
  t1.join();
  t2.join();
  assert(!failed);  // BUG
}
