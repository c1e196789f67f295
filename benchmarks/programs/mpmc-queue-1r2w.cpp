// EXPECT: verified
// Two writers, one reader; the queue holds one value at first. A data race if two threads could use a slot at once.
//
// 288 classes at best, by brute force (README.md): a compare-exchange that failed without reason is a turn that changed
// nothing. As many with GCC, 2,400 with Clang, -O2, where some turns are not recognised. CDSChecker: 63,932 feasible
// executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 2, .readers = 1}, true); }
