// EXPECT: bug assertion
// LEVELS: O0 O1 O2 O3
// Trap K1 of counted loops: as loop_wrong_verdict_bug.cpp, and the counter is stored.
//
// The third turn is the first to see the flag, so two turns were in vain. Each of them leads to the same instruction with the same
// values but for the counter. A rule that does not compare the counter (a register, at -O1) stops the thread after one turn and has 1
// or 0 at the end only.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag, turns;

int main() {
  std::thread a([] { flag.store(1, std::memory_order_release); });
  std::thread b([] {
    for (int i = 1; i <= 3; ++i) {
      if (flag.load(std::memory_order_acquire) == 0) continue;
      turns.store(i, std::memory_order_relaxed);
      break;
    }
  });
  a.join();
  b.join();
  assert(turns.load(std::memory_order_relaxed) != 3);  // BUG
}
