// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: as loop_trap_o8, but the variable is two frames further out, and the function between them only hands on a part of what it has.
//
// The thread reads 0, sets n, reads 1; then n is 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;

struct Pair {
  int first, n;
};

__attribute__((noinline)) void wait(int& n) {
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
  assert(n != 1);  // BUG
}
__attribute__((noinline)) void hand_on(Pair& pair) {
  wait(pair.n);
  go.load(std::memory_order_relaxed);
}

void run() {
  Pair pair{0, 0};
  hand_on(pair);
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
