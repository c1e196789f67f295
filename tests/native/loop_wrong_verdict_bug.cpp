// EXPECT: bug assertion
// LEVELS: O0 O1 O2 O3
// Trap K1, the program that was once verified (GCC at -O1 and -O2, Clang at -O1), as it was reported: a counted loop is no waiting loop.
//
// The assertion fails whenever a turn sees the flag. A turn in vain leads to the same place with another i: who does not compare i takes
// it for a turn that waits, and never gets to the end of the loop. 4 classes: the flag is seen by the last 3, 2, 1 or none of the turns.
#include <atomic>
#include <cassert>
#include <thread>

// clang-format off
std::atomic<int> flag, seen;
int main() {
  std::thread a([] { flag.store(1, std::memory_order_release); });
  std::thread b([] { for (int i = 0; i < 3; ++i) { if (flag.load(std::memory_order_acquire) == 0) continue; seen.store(1, std::memory_order_release); } });
  a.join(); b.join();
  assert(seen != 1);  // BUG
}
