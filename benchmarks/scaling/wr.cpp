// EXPECT: verified 625
// BLOCKED: 0
// wr: N writers and N readers of one variable, all relaxed.
// (N+1)^N classes: each reader reads the initial value or one of the N stores. Which store is last, or before which other, no
// thread sees: a search that also enumerates modification orders has N! · (N+1)^N executions (15,000 instead of 625 for N = 4).
#include <atomic>

#include "threads.h"

#ifndef N
#define N 4
#endif

std::atomic<int> variable;

int main() {
  run_threads<2 * N>([](int i) {
    if (i < N)
      variable.store(i + 1, std::memory_order_relaxed);
    else
      (void)variable.load(std::memory_order_relaxed);
  });
}
