// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a variable lies in a part of the frame whose size is known only when it is made.
//
// The thread reads 0, sets n[0], reads 1; n[at] is n[0], which is 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

std::atomic<int> go;
volatile int count = 3, at = 0;

void run() {
  int* n = static_cast<int*>(__builtin_alloca(static_cast<std::size_t>(count) * sizeof(int)));
  n[0] = 0;
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n[0] = 1;
  }
  assert(n[at] != 1);  // BUG
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
