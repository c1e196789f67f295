// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of counted loops: six futile looks, then the thread parks.
//
// It parks if all six looks come before the store. A rule that takes the loop for a waiting one (its counter ignored) stops the thread
// after one look; the turn in which it gives up never comes.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag, parked;

int main() {
  std::thread a([] {
    for (int i = 0; i < 6; ++i) {
      if (flag.load(std::memory_order_acquire) == 1) return;
    }
    parked.store(1, std::memory_order_relaxed);
  });
  std::thread b([] { flag.store(1, std::memory_order_release); });
  a.join();
  b.join();
  assert(parked.load(std::memory_order_relaxed) == 0);  // BUG
}
