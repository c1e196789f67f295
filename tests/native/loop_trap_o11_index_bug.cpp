// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: an element of an array in the frame is written at a known place, and read at one that is computed.
//
// The thread reads 0, sets n[1], reads 1; n[at] is n[1], which is 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;
volatile int at = 1;

void run() {
  int n[3] = {0, 0, 0};
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n[1] = 1;
  }
  assert(n[at] != 1);  // BUG
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
