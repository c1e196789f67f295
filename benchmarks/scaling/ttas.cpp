// EXPECT: verified 6..
// EXPECT (O2): verified 6
// ttas: N threads enter a section once each, behind a test-and-test-and-set lock.
// N! classes at best: the orders of the sections. An exchange that fails writes back what it read, and the loop of loads waits, so neither
// is part of a class. Published: 24 and 720 for N = 4 and 6. Turns that are not recognised add some.
#include <atomic>
#include <cassert>

#include "threads.h"

#ifndef N
#define N 3
#endif

std::atomic<bool> locked;
int counter;

int main() {
  run_threads<N>([](int) {
    while (locked.exchange(true, std::memory_order_acquire)) {
      while (locked.load(std::memory_order_relaxed)) {
      }
    }
    ++counter;
    locked.store(false, std::memory_order_release);
  });
  assert(counter == N);
}
