// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: a called function keeps the address of a variable of the caller's frame, and it is read through that.
//
// The thread reads 0, sets n, reads 1; *kept is 1, and the assertion fails. The function that has the loop only writes n.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go;
int* kept;

__attribute__((noinline)) void keep(int& n) { kept = &n; }

void run() {
  int n = 0;
  keep(n);
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
  assert(*kept != 1);  // BUG
}

int main() {
  std::thread a(run), b([] { go.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
