// EXPECT: verified 30..
// EXPECT (O2): verified 30..424
// As mpmc-queue, on an empty queue. A data race if two threads could use a slot at once.
//
// 30 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 424 with those that fail because the value was another one
// ("mpmc-queue-noinit, failures"). How many of them are recognised depends on the compiler. CDSChecker: 1,543 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.both = 2}, false); }
