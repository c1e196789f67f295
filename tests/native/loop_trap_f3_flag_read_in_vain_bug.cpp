// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of waiting loops: as loop_trap_f1_flag_reset_bug.cpp, in a retry loop, and neither thread comes to the flag in most executions.
//
// a uses the flag only in turns in which it reads the 2 of b, and these are in vain. b reads the flag only if its compare-exchange came first, and before it lets a go on with the 1:
// what it sees there is such a turn.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> value, busy;
int seen;

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
