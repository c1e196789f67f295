// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of waiting loops: as loop_trap_f1_flag_reset_bug.cpp, in a retry loop. The flag is read where another thread has failed, which is rare.
//
// b sees busy == 1 while a is in its turn, and only then makes a's compare-exchange fail: so a turn in which that fails was seen. c comes to the flag only if it reads the
// value that b wrote.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> value, busy;
int tries, seen, reset;

int main() {
  std::thread a([] {
    for (;;) {
      int r = value.load(std::memory_order_acquire);
      if (r == 2) {
        busy.store(1, std::memory_order_relaxed);
        busy.store(0, std::memory_order_relaxed);
        continue;
      }
      if (value.compare_exchange_strong(r, r + 4, std::memory_order_acq_rel, std::memory_order_acquire)) break;
    }
  });
  std::thread b([] {
    int r = 0;
    if (value.compare_exchange_strong(r, 2)) {
      if (value.load() == 2) seen = busy.load(std::memory_order_relaxed);
      value.store(1);
    }
  });
  a.join();
  b.join();
  assert(seen != 1);  // BUG
}
