// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of dead bytes: the address of a variable is published by an atomic store, and another thread reads the variable.
//
// The first thread reads 0 from `go`, sets n, reads 1, and releases `done`; the second one acquires it and finds 1 in n, so that the assertion fails. The first one waits for `seen` before n goes.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> go, done, seen;
std::atomic<int*> place;

void run() {
  int n = 0;
  place.store(&n, std::memory_order_relaxed);
  for (;;) {
    if (go.load(std::memory_order_relaxed) == 1) break;
    n = 1;
  }
  done.store(1, std::memory_order_release);
  while (seen.load(std::memory_order_acquire) == 0) {
  }
}

void look() {
  go.store(1, std::memory_order_relaxed);
  while (done.load(std::memory_order_acquire) == 0) {
  }
  assert(*place.load(std::memory_order_relaxed) != 1);  // BUG
  seen.store(1, std::memory_order_release);
}

int main() {
  std::thread a(run), b(look);
  a.join();
  b.join();
}
