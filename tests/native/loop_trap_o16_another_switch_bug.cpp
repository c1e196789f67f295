// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a variable is read in one case of a `switch`, which becomes a jump through a table.
//
// The thread reads 0, sets n, reads 1; `which` is 4, so n is read, which is 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go, other;
volatile int which = 4;

void run() {
  int n = 0;
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
  switch (which) {
    case 0: other.store(7, std::memory_order_relaxed); break;
    case 1: other.store(5, std::memory_order_relaxed); break;
    case 2: other.store(2, std::memory_order_relaxed); break;
    case 3: other.store(9, std::memory_order_relaxed); break;
    case 4: other.store(n, std::memory_order_relaxed); break;
    default: break;
  }
  assert(other.load(std::memory_order_relaxed) != 1);  // BUG
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
