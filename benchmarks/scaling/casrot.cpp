// EXPECT: verified 523
// BLOCKED: 0
// casrot: thread i, from 1 to N, does one compare-exchange from i-1 to i.
// 1 + the sum over L from 1 to N-1 of L · (L+1)^(N-L-1) classes. If the threads 1 … L have succeeded and L+1 has failed, then L+1 has
// read one of 0 … L-1, and each of the N-L-1 threads behind it one of 0 … L. All N may succeed, too; the first always does.
// Published: 38,486 for N = 10, the same.
#include <atomic>

#include "threads.h"

#ifndef N
#define N 7
#endif

std::atomic<int> variable;

int main() {
  run_threads<N>([](int i) {
    int expected = i;
    variable.compare_exchange_strong(expected, i + 1, std::memory_order_relaxed);
  });
}
