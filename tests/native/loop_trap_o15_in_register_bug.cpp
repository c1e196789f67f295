// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: an address stays in a register that calls keep, while other functions use that register for themselves.
//
// The thread reads 0, sets n, reads 1; the assertion reads it through the register, and fails.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;
__attribute__((noinline)) void nothing() { asm volatile("" ::: "rbx", "r12", "r13", "r14", "r15"); }

__attribute__((noinline)) void wait(int* n) {
  int* m = n;
  asm volatile("" : "+r"(m));  // where it comes from is not known any more
  nothing();
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    *n = 1;
  }
  nothing();
  assert(*m != 1);  // BUG
}

void run() {
  int n = 0;
  wait(&n);
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
