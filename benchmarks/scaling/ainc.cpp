// EXPECT: verified 720
// BLOCKED: 0
// ainc: N threads, one relaxed fetch_add each.
// N! classes: the increments read from one another in a chain, in any order. Published: 40,320 for N = 8, the same.
#include <atomic>
#include <cassert>

#include "threads.h"

#ifndef N
#define N 6
#endif

std::atomic<int> counter;

int main() {
  run_threads<N>([](int) { counter.fetch_add(1, std::memory_order_relaxed); });
  assert(counter == N);
}
