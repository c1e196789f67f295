// EXPECT: verified 5..
// EXPECT (O2): verified 5..7
// One writer, two readers; the queue is empty at first. A data race if two threads could use a slot at once.
//
// 5 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 7 with the failures of readers that find the queue empty then and
// give up ("mpmc-queue-2r1w-noinit, last failures"), which need not be recognised. CDSChecker: 31 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 1, .readers = 2}, false); }
