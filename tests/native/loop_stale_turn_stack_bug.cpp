// EXPECT: bug data-race
// LEVELS: O0 O2
// OPTIONS: --eager
//
// The same for a stale turn (src/explore/stale_turns.h): main, which has read the old x, looks at its own stack and at y; another thread has a pointer to that variable, and writes it later.
#include <atomic>
#include <thread>

std::atomic<int> x{0}, y{0}, other{0};

int main() {
  int data = 0;
  std::thread writes([&data] {
    y.store(1, std::memory_order_relaxed);
    x.store(1, std::memory_order_relaxed);
    std::thread ends([] { other.store(1); });
    ends.join();
    data = 7;  // BUG
  });
  std::thread first([] { other.store(2); });
  first.join();
  while (x.load(std::memory_order_relaxed) == 0) {
    int seen = data;  // BUG
    asm volatile("" ::"r"(seen));
    if (y.load(std::memory_order_relaxed) == 5) break;
  }
  writes.join();
}
