// EXPECT: verified 78..
// EXPECT (O2): verified 78
// AutoMO's driver: what the lock protects is atomic, and relaxed.
//
// 78 classes at best, by brute force (README.md), as in mcs-lock: the lock leaves the accesses no choice.
#include "mcs_twice.h"

std::atomic<int> shared{0};

int main() {
  auto load = [] { shared.load(std::memory_order_relaxed); };
  auto store = [] { shared.store(17, std::memory_order_relaxed); };
  lock_twice_in_two_threads<McsMutex<>>(load, store);
}
