// Four threads store to one variable, four others load it: 5^4 = 625 classes, what each load reads of four stores and the initial
// value; or they increment it: 4! · 5^4 = 15,000, the orders of the increments, too. Each thread also has a variable of its own, to
// which it stores N times; that adds no class.
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

inline void store_or_load(int thread) {
  if (thread < kWriters)
    contended.store(thread + 1, std::memory_order_relaxed);
  else
    (void)contended.load(std::memory_order_relaxed);
}

inline void add_or_load(int thread) {
  if (thread < kWriters)
    contended.fetch_add(1, std::memory_order_relaxed);
  else
    (void)contended.load(std::memory_order_relaxed);
}

inline void pad(int thread) {
  for (int n = 1; n <= N; ++n) own[thread].store(n, std::memory_order_relaxed);
}
