// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of waiting loops: an operation on the flag cannot take the place of an earlier one (rule B), for what it reads is written between them.
//
// Both exchanges store 0. The first one, with what the second one gave, leads to where the thread is then, and the flag holds 0 before and after. But without
// what is between them the second one reads 0, not 1, and the assertion fails only after a turn.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready, flag, other;

int main() {
  std::thread a([] {
    int last = 0;
    for (;;) {
      last = flag.exchange(0, std::memory_order_relaxed);
      if (ready.load(std::memory_order_relaxed) != 0) break;
      flag.store(1, std::memory_order_relaxed);
    }
    other.store(last, std::memory_order_relaxed);
  });
  std::thread b([] { ready.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
  assert(other.load() != 1);  // BUG
}
