// EXPECT: verified 704
// BLOCKED: 0
// lastzero: an array of N+1 zeros. Thread i, from 1 to N, stores array[i-1] + 1 to array[i]; thread 0 looks for the last zero, downwards.
// (N+3) · 2^(N-2) classes, N > 1. Of the N threads all but the first read an old value or that of their neighbour: 2^(N-1). Thread
// 0 stops at N or at 0 whatever they read: twice 2^(N-1). It stops at i in between if thread i+1 has stored and thread i has
// not, as far as thread 0 knows; then thread i+1 has not read from thread i, or thread 0 would know: (N-1) times 2^(N-2).
// Published: 15,360 for N = 12, the same.
#include <atomic>

#include "threads.h"

#ifndef N
#define N 8
#endif

std::atomic<int> array[N + 1];

int main() {
  run_threads<N + 1>([](int i) {
    if (i > 0) {
      array[i].store(array[i - 1].load(std::memory_order_acquire) + 1, std::memory_order_release);
    } else {
      int last = N;
      while (array[last].load(std::memory_order_acquire) != 0) --last;
    }
  });
}
