// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a called function writes a variable of the caller's frame only on one of its ways. It is not overwritten for sure.
//
// The thread reads 0, sets n, reads 1; `reset` leaves n as it is, and the assertion fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;
volatile bool resets = false;

__attribute__((noinline)) void reset(int& n) {
  if (resets) n = 0;
}

void run() {
  int n = 0;
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
  reset(n);
  assert(n != 1);  // BUG
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
