// EXPECT: verified
// One writer, two readers; the queue holds one value at first. A data race if two threads could use a slot at once.
//
// 152 classes at best, by brute force (README.md): a compare-exchange that failed without reason is a turn that changed
// nothing. As many with GCC, 528 with Clang, -O2, where some turns are not recognised. CDSChecker: 2,375 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 1, .readers = 2}, true); }
