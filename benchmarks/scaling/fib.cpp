// EXPECT: verified 2258
// BLOCKED: 0
// fib: one thread adds j to i, another i to j, N times each; a third looks at both once, while they run.
// 1, 2, 3, 4, 5 rounds have 11, 153, 2,258, 34,205, 525,630 classes. In round k the first thread reads the a(k)-th value of j, the second
// the b(k)-th of i, 0 being the initial one. Both grow with k (coherence), and b(a(k)) < k if a(k) > 0 (what round k reads cannot depend
// on what it stores): 3, 20, 175, 1,764, 19,404 pairs of sequences. The third thread reads the p-th value of i and then, since it has
// synchronised with the first, at least the a(p)-th of j: N + 1 - a(p) choices, summed over p from 0 to N.
// Published: 525,630 for N = 5, the same.
#include <atomic>

#include "threads.h"

#ifndef N
#define N 3
#endif

std::atomic<int> i = 1, j = 1;

void add(std::atomic<int>& sum, const std::atomic<int>& summand) {
  for (int round = 1; round <= N; ++round)
    sum.store(sum.load(std::memory_order_acquire) + summand.load(std::memory_order_acquire), std::memory_order_release);
}

int main() {
  run_threads<3>([](int thread) {
    if (thread == 0) {
      add(i, j);
    } else if (thread == 1) {
      add(j, i);
    } else {
      (void)i.load(std::memory_order_acquire);
      (void)j.load(std::memory_order_acquire);
    }
  });
}
