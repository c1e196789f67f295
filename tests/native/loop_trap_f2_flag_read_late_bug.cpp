// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of waiting loops: as loop_trap_f1_flag_reset_bug.cpp, and the flag is read only after the loop has been seen to end.
//
// b sees `ended`, relaxed, and may still read the 1 of a turn in vain, which is older than the 0. The read is in no execution in which a
// is stopped in its loop: it shows in the one in which the loop ends at once, and only there can a search notice that "nobody else
// accesses the flag" is wrong. A rule that asks the execution at hand, in which a has just made its turn, leaves that turn out.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready, polling, ended;
int seen;

int main() {
  std::thread a([] {
    while (ready.load(std::memory_order_relaxed) == 0) {
      polling.store(1, std::memory_order_relaxed);
      polling.store(0, std::memory_order_relaxed);
    }
    ended.store(1, std::memory_order_relaxed);
  });
  std::thread b([] {
    ready.store(1, std::memory_order_relaxed);
    if (ended.load(std::memory_order_relaxed) == 1) seen = polling.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(seen != 1);  // BUG
}
