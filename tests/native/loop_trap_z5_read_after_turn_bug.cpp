// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap Z5 of turns that take something and give it back: who reads the middle value waits for what the thread does after its turn.
//
// No execution that is explored has that read if the turn is left out: it must be tried out what the load would do with a value that it has not
// read. (With one that is larger by what was taken it goes on in the same way.)
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, done, seen;

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
    while (done.load(std::memory_order_relaxed) == 0) {
    }
    seen.store(x.load(std::memory_order_relaxed) == -1 ? 1 : 0, std::memory_order_relaxed);
  });
  std::thread t3([] {
    x.fetch_add(1, std::memory_order_relaxed);
  });
  t1.join();
  t2.join();
  t3.join();
  assert(seen.load(std::memory_order_relaxed) == 0);  // BUG
}
