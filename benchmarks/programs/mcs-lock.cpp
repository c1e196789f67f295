// EXPECT: verified 78..
// EXPECT (O2): verified 78
// CDSChecker's driver: the lock protects a plain variable; a data race if two threads could hold it.
//
// 78 classes at best, by brute force (README.md). CDSChecker: 14,017 feasible executions.
#include <cassert>

#include "mcs_twice.h"

int shared;

int main() {
  auto load = [] { assert(shared == 0 || shared == 17); };
  auto store = [] { shared = 17; };
  lock_twice_in_two_threads<McsMutex<>>(load, store);
}
