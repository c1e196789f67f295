// EXPECT: verified 1024
// BLOCKED: 0
// readers: one thread stores to N variables, and N readers load one of them each.
// 2^N classes: each reader reads the initial value or the store, whatever the others do. Published: 32,768 for N = 15, the same.
#include <atomic>
#include <thread>

#include "threads.h"

#ifndef N
#define N 10
#endif

std::atomic<int> variables[N];

int main() {
  std::thread writer([] {
    for (std::atomic<int>& variable : variables) variable.store(1, std::memory_order_relaxed);
  });
  run_threads<N>([](int i) { (void)variables[i].load(std::memory_order_relaxed); });
  writer.join();
}
