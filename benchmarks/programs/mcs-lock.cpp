// EXPECT: verified 28..78
// EXPECT (clang O2): verified 28
// CDSChecker's driver: the lock protects a plain variable; a data race if two threads could hold it.
//
// 28 classes at best, by brute force (README.md), if a load that finds nobody behind and a compare-exchange that then fails are left out:
// all goes on as if somebody had been found at once. 78 with them. CDSChecker: 14,017 feasible executions.
#include <cassert>

#include "mcs_twice.h"

int shared;

int main() {
  auto load = [] { assert(shared == 0 || shared == 17); };
  auto store = [] { shared = 17; };
  lock_twice_in_two_threads<McsMutex<>>(load, store);
}
