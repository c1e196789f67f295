// EXPECT: verified 28..
// EXPECT (O2): verified 28..78
// AutoMO's driver: what the lock protects is atomic, and relaxed.
//
// 28 classes at best, by brute force (README.md). If the compare-exchange in unlock() fails, there is a next node, and the load before it
// might have read what the loop after it reads: no class of its own. 78 with these ("mcs-lock-automo1, failures"). How many of them are
// recognised depends on the compiler: registers that are used no more may differ. As in mcs-lock: the lock leaves the accesses no choice.
#include "mcs_twice.h"

std::atomic<int> shared{0};

int main() {
  auto load = [] { shared.load(std::memory_order_relaxed); };
  auto store = [] { shared.store(17, std::memory_order_relaxed); };
  lock_twice_in_two_threads<McsMutex<>>(load, store);
}
