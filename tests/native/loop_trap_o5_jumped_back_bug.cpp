// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a variable is read where setjmp returns for the second time, after a called function has jumped there.
//
// The thread reads 0, sets n, reads 1 and jumps back; n is 1, and the assertion fails.
#include <atomic>
#include <cassert>
#include <csetjmp>
#include <thread>

std::atomic<int> go;
thread_local std::jmp_buf place;

__attribute__((noinline)) void leave() { std::longjmp(place, 1); }

void run() {
  volatile int n = 0;
  if (setjmp(place) != 0) {
    assert(n != 1);  // BUG
    return;
  }
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
  leave();
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
