// EXPECT: bug assertion
// LEVELS: O0 O1 O2 O3
// Trap Z7 of turns that take something and give it back: what was read when it was given back is looked at later.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;
int last = 5;

/// So that the search looks at x from its first execution on.
void begin() {
  for (int i = 0; i < 2; ++i) x.fetch_add(-1), x.fetch_add(1);
}

int main() {
  std::thread(begin).join();
  std::thread t1([] {
    int had = 5;
    while (x.fetch_sub(1, std::memory_order_relaxed) < 1) {
      had = x.fetch_add(1, std::memory_order_relaxed);
      while (x.load(std::memory_order_relaxed) < 1) {
      }
    }
    last = had;
  });
  std::thread t2([] {
    x.fetch_add(1, std::memory_order_relaxed);
  });
  t1.join();
  t2.join();
  assert(last != 0);  // BUG
}
