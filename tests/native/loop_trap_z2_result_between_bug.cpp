// EXPECT: bug assertion
// LEVELS: O0 O1 O2 O3
// Trap Z2 of turns that take something and give it back: what another thread adds comes between the two, and it looks at what it has read.
//
// had = -1 only if the turn is there: the addition is sensitive.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;
int had;

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
    had = x.fetch_add(1, std::memory_order_relaxed);
  });
  t1.join();
  t2.join();
  assert(had != -1);  // BUG
}
