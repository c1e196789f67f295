// EXPECT: verified 12..
// EXPECT (O2): verified 12
// Two writers, one reader; the queue is empty at first. A data race if two threads could use a slot at once.
//
// 12 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 40 with all that find another value ("mpmc-queue-1r2w-noinit,
// failures"). CDSChecker: 1,329 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 2, .readers = 1}, false); }
