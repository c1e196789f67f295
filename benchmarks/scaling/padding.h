// Four threads increment one variable, four others load it: 4! · 5^4 = 15,000 classes, the orders of the increments and what each
// load reads of them. Each thread also has a variable of its own, to which it stores N times; that adds no class.
#pragma once

#include <atomic>

#include "threads.h"

#ifndef N
#define N 1
#endif

constexpr int kWriters = 4;
constexpr int kThreads = 8;
inline std::atomic<int> contended;
inline std::atomic<int> own[kThreads];

inline void contend(int thread) {
  if (thread < kWriters)
    contended.fetch_add(1, std::memory_order_relaxed);
  else
    (void)contended.load(std::memory_order_relaxed);
}

inline void pad(int thread) {
  for (int n = 1; n <= N; ++n) own[thread].store(n, std::memory_order_relaxed);
}
