// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a function returns the address that it got, and the variable is read through that.
//
// The thread reads 0, sets n, reads 1; m is n, which is 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;
__attribute__((noinline)) int& same(int& n) { return n; }

void run() {
  int n = 0;
  int& m = same(n);
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
  assert(m != 1);  // BUG
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
