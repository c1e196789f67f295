// EXPECT: bug assertion
// LEVELS: O1 O2 O3
// Trap Z9 of turns that take something and give it back: a load tolerates what each of two threads has taken, but not both.
//
// It waits for what follows both turns, so no execution that is explored has such a read: it must be tried out with the sum. 10 - 1 is as good as 10, 10 - 2 is not.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, one, two, seen;

/// Until there is much. A turn in vain takes something, gives it back, and waits.
void poll(std::atomic<int>& done) {
  while (x.load(std::memory_order_relaxed) < 5) {
    x.fetch_sub(1, std::memory_order_relaxed);
    x.fetch_add(1, std::memory_order_relaxed);
    while (x.load(std::memory_order_relaxed) < 5) {
    }
  }
  done.store(1, std::memory_order_relaxed);
}

/// So that the search looks at x from its first execution on.
void begin() {
  for (int i = 0; i < 2; ++i) x.fetch_add(-1), x.fetch_add(1);
}

int main() {
  std::thread(begin).join();
  std::thread t1([] { poll(one); });
  std::thread t2([] { poll(two); });
  std::thread t3([] {
    x.fetch_add(10, std::memory_order_relaxed);
    while (one.load(std::memory_order_relaxed) == 0) {
    }
    while (two.load(std::memory_order_relaxed) == 0) {
    }
    seen.store(x.load(std::memory_order_relaxed) < 9 ? 1 : 0, std::memory_order_relaxed);
  });
  t1.join();
  t2.join();
  t3.join();
  assert(seen.load(std::memory_order_relaxed) == 0);  // BUG
}
