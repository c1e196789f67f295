// EXPECT: verified 424..
// As mpmc-queue, on an empty queue. A data race if two threads could use a slot at once.
//
// 424 classes at best, by brute force (README.md): a compare-exchange that failed without reason is a turn that changed
// nothing. Turns that are not recognised add some. CDSChecker: 1,543 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.both = 2}, false); }
