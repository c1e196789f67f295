// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of waiting loops: as loop_trap_f2_flag_read_late_bug.cpp, and the flag is read in a turn in vain of another loop.
//
// Such a turn is left out itself: the thread that makes it is stopped there. So all executions in which the flag is read are blocked, and only there can a search notice
// that "nobody else accesses the flag" is wrong.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready, polling, ended, go;

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
    if (ended.load(std::memory_order_relaxed) == 0) return;
    while (go.load(std::memory_order_relaxed) == 0) assert(polling.load(std::memory_order_relaxed) != 1);  // BUG
  });
  std::thread c([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
  c.join();
}
