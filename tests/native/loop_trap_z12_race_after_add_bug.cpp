// EXPECT: bug data-race data
// LEVELS: O0 O2
// Trap Z12 of turns that take something and give it back: an addition between the two goes on in the same way, but looks elsewhere before.
//
// data[1] is read only if the addition comes between taking and giving back, and written after what follows the turn: a race. That the thread is in the same place
// afterwards does not make the addition insensitive.
#include <atomic>
#include <thread>

std::atomic<int> x, done, other;
volatile int data[2];

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
    done.store(1, std::memory_order_relaxed);
  });
  std::thread t2([] {
    const int had = x.fetch_add(1, std::memory_order_relaxed);
    (void)data[had < 0];  // BUG
    other.store(1, std::memory_order_relaxed);
  });
  std::thread t3([] {
    while (done.load(std::memory_order_relaxed) == 0) {
    }
    data[1] = 1;  // BUG
  });
  t1.join();
  t2.join();
  t3.join();
}
