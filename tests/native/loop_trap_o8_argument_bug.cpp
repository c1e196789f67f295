// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a function reads a variable of its caller's frame, whose address it has as an argument; the caller itself does not.
//
// The thread reads 0, sets n, reads 1; then n is 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;

__attribute__((noinline)) void wait(int& n) {
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
  assert(n != 1);  // BUG
}

void run() {
  int n = 0;
  wait(n);
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
