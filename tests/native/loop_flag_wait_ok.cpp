// EXPECT: verified 1
// LEVELS: O0 O2
// A waiting loop with a flag for debugging, which is set and reset in each turn, and which nobody else reads while the thread runs.
//
// 1 class, as without the flag: the loop ends when it reads the 1. A turn in vain leaves the flag as it was, and `main` reads it only after the thread
// has ended.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready, polling;
int data;

int main() {
  polling.store(0);
  std::thread a([] {
    while (ready.load(std::memory_order_acquire) == 0) {
      polling.store(1, std::memory_order_relaxed);
      polling.store(0, std::memory_order_relaxed);
    }
    assert(data == 1);
  });
  std::thread b([] {
    data = 1;
    ready.store(1, std::memory_order_release);
  });
  a.join();
  b.join();
  assert(polling.load() == 0);
}
