// EXPECT: verified 22..
// EXPECT (O2): verified 22
// Two writers, one reader; the queue holds one value at first. A data race if two threads could use a slot at once.
//
// 22 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 288 with all that find another value ("mpmc-queue-1r2w,
// failures"). CDSChecker: 63,932 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 2, .readers = 1}, true); }
