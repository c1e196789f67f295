// EXPECT: verified 152..
// One writer, two readers; the queue holds one value at first. A data race if two threads could use a slot at once.
//
// 152 classes at best, by brute force (README.md): a compare-exchange that failed without reason is a turn that changed
// nothing. Turns that are not recognised add some. CDSChecker: 2,375 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 1, .readers = 2}, true); }
