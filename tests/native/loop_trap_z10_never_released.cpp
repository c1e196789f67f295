// EXPECT: bounded
// OPTIONS: --max-events 200 --executions 2000
// LEVELS: O0 O2
// Trap Z10 of turns that take something and give it back: in the end there is nothing to take, and the thread goes round for ever.
//
// If t2 reads y = 1, it takes what t1 needs for its second loop. A rule that leaves these turns out, and says nothing more, has no execution that goes wrong: "verified".
// In the first execution t2 reads 0, and the search gets to know t1's pairs.
#include <atomic>
#include <thread>

std::atomic<int> x, y;

/// Takes 1 if there is one. A turn in vain gives it back, and waits.
void take() {
  while (x.fetch_sub(1, std::memory_order_acquire) < 1) {
    x.fetch_add(1, std::memory_order_relaxed);
    while (x.load(std::memory_order_relaxed) < 1) {
    }
  }
}

/// Likewise, but does not wait.
void poll() {
  while (x.fetch_sub(1, std::memory_order_relaxed) < 1) x.fetch_add(1, std::memory_order_relaxed);
}

/// So that the search looks at x from its first execution on.
void begin() {
  for (int i = 0; i < 2; ++i) x.fetch_add(-1), x.fetch_add(1);
}

int main() {
  std::thread(begin).join();
  std::thread t1([] {
    take();
    poll();
  });
  std::thread t2([] {
    x.fetch_add(2, std::memory_order_relaxed);
    if (y.load(std::memory_order_relaxed) != 0) x.fetch_sub(1, std::memory_order_relaxed);
  });
  std::thread t3([] { y.store(1, std::memory_order_relaxed); });
  t1.join();
  t2.join();
  t3.join();
}
