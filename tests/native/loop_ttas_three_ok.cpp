// EXPECT: verified 6
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Three threads enter a section once each, under a test-and-test-and-set lock.
//
// 6 classes: the orders of the sections. A failed exchange writes back the true that it read, and the loads after it change nothing: the
// whole turn, the inner loop included, can be left out. (That is 6 because the exchange comes first: benchmarks/scaling/ttas-load-first.cpp.)
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> locked;
int counter;

void enter() {
  while (locked.exchange(true, std::memory_order_acquire)) {
    while (locked.load(std::memory_order_relaxed)) {
    }
  }
  ++counter;
  locked.store(false, std::memory_order_release);
}

int main() {
  std::thread a(enter), b(enter), c(enter);
  a.join();
  b.join();
  c.join();
  assert(counter == 3);
}
