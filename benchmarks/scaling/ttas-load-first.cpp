// EXPECT: verified 36..
// EXPECT (O2): verified 36
// ttas-load-first: as ttas.cpp, with the loop that waits by loads before the exchange instead of behind it.
// (N!)² classes at best: N! orders of the sections, and the load of the k-th thread may have seen the lock free at the start or after
// any of the k-1 sections before its own. A turn of the loops that only waits is no part of a class.
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
    do {
      while (locked.load(std::memory_order_relaxed)) {
      }
    } while (locked.exchange(true, std::memory_order_acquire));
    ++counter;
    locked.store(false, std::memory_order_release);
  });
  assert(counter == N);
}
