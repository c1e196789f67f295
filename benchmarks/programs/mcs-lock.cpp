// EXPECT: verified 28..
// EXPECT (O2): verified 28..78
// CDSChecker's driver: the lock protects a plain variable; a data race if two threads could hold it.
//
// 28 classes at best, by brute force (README.md). If the compare-exchange in unlock() fails, there is a next node, and the load before it
// might have read what the loop after it reads: no class of its own. 78 with these ("mcs-lock, failures"). How many of them are
// recognised depends on the compiler: registers that are used no more may differ. CDSChecker: 14,017 feasible executions.
#include <cassert>

#include "mcs_twice.h"

int shared;

int main() {
  auto load = [] { assert(shared == 0 || shared == 17); };
  auto store = [] { shared = 17; };
  lock_twice_in_two_threads<McsMutex<>>(load, store);
}
