// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a variable is read by a function of the C library that copies it.
//
// The thread reads 0, sets n, reads 1; the copy is 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

std::atomic<int> go;
volatile std::size_t size = sizeof(int);

void run() {
  int n = 0, copy = 0;
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
  std::memcpy(&copy, &n, size);
  assert(copy != 1);  // BUG
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
