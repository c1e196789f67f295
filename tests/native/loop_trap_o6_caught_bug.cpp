// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a variable is read only where an exception is caught, which a called function throws after the loop.
//
// The thread reads 0, sets n, reads 1; then n is 1 where the exception is caught, and the assertion fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;
__attribute__((noinline)) void leave() { throw 1; }

void run() {
  int n = 0;
  try {
    for (;;) {
      if (go.load(std::memory_order_relaxed) == 1) break;
      n = 1;
    }
    leave();
  } catch (int) {
    assert(n != 1);  // BUG
  }
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
