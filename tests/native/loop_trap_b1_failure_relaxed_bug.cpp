// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap B1 of retry loops: the load acquires, the failure of the compare-exchange does not.
//
// value = 1, got = 0: the load reads 0, the compare-exchange fails and reads 1, relaxed; it succeeds with 1 (release only), so nothing
// orders the store to data before the load of it. A rule that takes the failed turn for one in which the load read 1 at once loses this:
// that load would acquire, and got would be 1. (One class of 5, and none under the wrong rule.)
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, data;
int value, got;

int main() {
  std::thread a([] {
    int seen = x.load(std::memory_order_acquire);
    while (!x.compare_exchange_strong(seen, 3, std::memory_order_release, std::memory_order_relaxed)) {
    }
    got = data.load(std::memory_order_relaxed);
    value = seen;
  });
  std::thread b([] {
    data.store(1, std::memory_order_relaxed);
    x.store(1, std::memory_order_release);
  });
  a.join();
  b.join();
  assert(!(value == 1 && got == 0));  // BUG
}
