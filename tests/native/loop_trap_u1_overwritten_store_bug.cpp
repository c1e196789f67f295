// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap U1 of retry loops: a turn stores what the next turn overwrites, as a hazard pointer's does.
//
// current = 1, seen = 5: the first turn reads 0, stores 5 and finds 1; b, after its store of 1, sees the 5; the second turn stores 6 and
// succeeds. The store of 5 was visible. A rule that takes a store which will be overwritten for no effect leaves the first turn out,
// and with current = 1 only 6 (or nothing) can be seen.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, hazard;
int current, seen;

int main() {
  std::thread a([] {
    int read;
    do {
      read = x.load(std::memory_order_relaxed);
      hazard.store(read + 5, std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_seq_cst);
    } while (x.load(std::memory_order_relaxed) != read);
    current = read;
  });
  std::thread b([] {
    x.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    seen = hazard.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(!(current == 1 && seen == 5));  // BUG
}
