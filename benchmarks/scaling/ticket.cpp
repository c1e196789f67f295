// EXPECT: verified 6
// ticket: N threads enter a section once each, behind a ticket lock.
// N! classes: the orders of the tickets; then everything is forced. Published: 720 for N = 6, the same.
#include <atomic>
#include <cassert>

#include "threads.h"

#ifndef N
#define N 3
#endif

std::atomic<int> next, serving;
int counter;

int main() {
  run_threads<N>([](int) {
    const int mine = next.fetch_add(1, std::memory_order_relaxed);
    while (serving.load(std::memory_order_acquire) != mine) {
    }
    ++counter;
    serving.store(mine + 1, std::memory_order_release);
  });
  assert(counter == N);
}
