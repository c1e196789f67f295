// EXPECT: bug assertion
// LEVELS: O0 O1 O2 O3
// Trap Z4 of turns that take something and give it back: an exchange comes between the two, and what is given back is added to what it has stored.
//
// x = 1 in the end: taken, exchanged, given back: 2; taken again.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

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
    x.exchange(1, std::memory_order_relaxed);
  });
  t1.join();
  t2.join();
  assert(x.load(std::memory_order_relaxed) != 1);  // BUG
}
