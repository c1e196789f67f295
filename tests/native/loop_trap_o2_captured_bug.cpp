// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a variable is read by a lambda that has it by reference: its address is in the lambda, and the lambda's address is what the function gets.
//
// The thread reads 0, sets n, reads 1; the lambda returns 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;

void run() {
  int n = 0;
  const auto look = [&n]() __attribute__((noinline)) { return n; };
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
  assert(look() != 1);  // BUG
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
