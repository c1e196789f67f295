// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: an argument that lies on the stack, in the caller's frame, is changed and read by the called function alone.
//
// The thread reads 0, sets big.n, reads 1; then it is 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;
struct Big {
  long other[4];
  volatile int n;
};

__attribute__((noinline)) void wait(Big big) {
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    big.n = 1;
  }
  assert(big.n != 1);  // BUG
}

void run() { wait(Big{}); }

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
