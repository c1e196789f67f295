// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of waiting loops: a flag that is set and reset within a turn, as those for debugging are, and another thread reads it.
//
// b reads 1 before it sets `ready`, which ends the loop: so the loop takes a turn in vain, and its first store is seen. A rule that says
// the turn restores what it changed, so nothing happened, leaves it out; without a turn in vain the flag is never 1. That nobody else
// accesses the flag is a fact that this read refutes, whichever execution of the search has it.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready, polling;
int seen;

int main() {
  std::thread a([] {
    while (ready.load(std::memory_order_relaxed) == 0) {
      polling.store(1, std::memory_order_relaxed);
      polling.store(0, std::memory_order_relaxed);
    }
  });
  std::thread b([] {
    seen = polling.load(std::memory_order_relaxed);
    ready.store(1, std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(seen != 1);  // BUG
}
