// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap Z14 of turns that take something and give it back: an atomic wait ends because of it.
//
// If nobody takes anything, the wait ends with what t2 adds, and `given` is seen. What cannot be tried out, as an atomic wait, cares.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, given;
int seen = 1;

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
  std::thread t1([] { take(); });
  std::thread t3([] {
    x.wait(0, std::memory_order_acquire);
    seen = given.load(std::memory_order_relaxed);
  });
  std::thread t2([] {
    given.store(1, std::memory_order_relaxed);
    x.fetch_add(2, std::memory_order_release);
    x.notify_all();
  });
  t1.join();
  t2.join();
  t3.join();
  assert(seen == 1);  // BUG
}
