// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap B3 of retry loops: the load is seq_cst, the failure of the compare-exchange only acquires.
//
// value = 1, got = 0, other = 0: the load reads 0, the compare-exchange fails and reads 1 (acquire) and succeeds with it. If the
// seq_cst load itself had read 1, then in the order of all seq_cst operations: the store of 1 to x, this load, the load of y that read 0,
// the store to y, the load of x that read 0, and so the store to x again. A rule that moves the read to the load loses the outcome.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, y;
int value, got, other;

int main() {
  std::thread a([] {
    int seen = x.load();
    while (!x.compare_exchange_strong(seen, 3, std::memory_order_relaxed, std::memory_order_acquire)) {
    }
    got = y.load();
    value = seen;
  });
  std::thread b([] { x.store(1); });
  std::thread c([] {
    y.store(1);
    other = x.load();
  });
  a.join();
  b.join();
  c.join();
  assert(!(value == 1 && got == 0 && other == 0));  // BUG
}
