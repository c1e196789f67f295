// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap W1: a spurious failure that leads elsewhere.
//
// One weak compare-exchange without a loop: nobody else writes, and it may fail all the same. A rule that leaves spurious failures out
// because they "only repeat the turn" loses this: here nothing is repeated.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;
bool succeeded;
int seen;

int main() {
  std::thread a([] {
    int expected = 0;
    succeeded = x.compare_exchange_weak(expected, 3, std::memory_order_relaxed, std::memory_order_relaxed);
  });
  std::thread b([] { seen = x.load(std::memory_order_relaxed); });
  a.join();
  b.join();
  assert(succeeded);  // BUG
}
