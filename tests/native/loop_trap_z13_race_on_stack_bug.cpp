// EXPECT: bug data-race data
// LEVELS: O0 O2
// Trap Z13 of turns that take something and give it back: a load of the value between makes the thread look elsewhere on its own stack.
//
// Another thread has a pointer to that, and writes there after what follows the turn. So what a thread accesses on its stack on its way must be the same, too.
#include <atomic>
#include <thread>

std::atomic<int> x, done, other, last;
std::atomic<volatile int*> shared;

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
    volatile int data[2] = {};
    shared.store(data, std::memory_order_release);
    const int had = x.load(std::memory_order_relaxed);
    (void)data[had < 0];  // BUG
    other.store(1, std::memory_order_relaxed);
    x.fetch_add(1, std::memory_order_relaxed);
    while (last.load(std::memory_order_acquire) == 0) {
    }
  });
  std::thread t2([] {
    take();
    done.store(1, std::memory_order_relaxed);
  });
  std::thread t3([] {
    while (done.load(std::memory_order_relaxed) == 0) {
    }
    if (volatile int* data = shared.load(std::memory_order_acquire)) data[1] = 1;  // BUG
    last.store(1, std::memory_order_release);
  });
  t1.join();
  t2.join();
  t3.join();
}
