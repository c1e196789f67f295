// EXPECT: bug data-race data
// LEVELS: O0 O2
// Trap B2 of retry loops: as B1, and what is lost is a race.
//
// The load reads 0, the compare-exchange fails and reads 1, relaxed, then succeeds with 1: the thread knows of the store of 1 and has
// not synchronised with it, so its read of data races. If the failed turn is taken for one in which the load, which acquires, read 1
// at once, no execution has the race.
#include <atomic>
#include <thread>

std::atomic<int> x;
int data, copy;

int main() {
  std::thread a([] {
    int seen = x.load(std::memory_order_acquire);
    while (!x.compare_exchange_strong(seen, 3, std::memory_order_release, std::memory_order_relaxed)) {
    }
    if (seen == 1) copy = data;  // BUG
  });
  std::thread b([] {
    data = 1;  // BUG
    x.store(1, std::memory_order_release);
  });
  a.join();
  b.join();
}
