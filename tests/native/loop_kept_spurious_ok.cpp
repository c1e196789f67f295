// EXPECT: verified
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS: compare-exchange: the compare-exchange at line 17 failed spuriously, and did not lead back to the same state
// What kept a turn: a failure without reason leads elsewhere: the tries are counted (loop_trap_w2).
#include <atomic>
#include <thread>

std::atomic<int> x, slow;
int most = 2;  // not known to the compiler, which would write the loop out

int main() {
  std::thread a([] {
    for (int i = 0; i < most; ++i) {
      int expected = 0;
      // It fails for no other reason: nobody else writes x.
      if (x.compare_exchange_weak(expected, 3, std::memory_order_relaxed, std::memory_order_relaxed)) return;
    }
    slow.store(1, std::memory_order_relaxed);
  });
  std::thread b([] { (void)x.load(std::memory_order_relaxed); });
  a.join();
  b.join();
}
