// EXPECT: verified 720
// BLOCKED: 0
// lockinc: N threads increment a plain variable under a mutex.
// N! classes: the orders of the sections. Published: 40,320 for N = 8, the same.
#include <cassert>
#include <mutex>

#include "threads.h"

#ifndef N
#define N 6
#endif

std::mutex mutex;
int counter;

int main() {
  run_threads<N>([](int) {
    std::lock_guard lock(mutex);
    ++counter;
  });
  assert(counter == N);
}
