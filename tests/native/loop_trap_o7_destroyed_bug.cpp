// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a variable is read by the destructor of an object that has a reference to it.
//
// The thread reads 0, sets n, reads 1; the destructor finds 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;
struct Guard {
  int& n;
  __attribute__((noinline)) ~Guard() {
    assert(n != 1);  // BUG
  }
};

void run() {
  int n = 0;
  Guard guard{n};
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
