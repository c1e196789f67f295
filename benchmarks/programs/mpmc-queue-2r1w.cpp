// EXPECT: verified 16..
// EXPECT (O2): verified 16..36
// One writer, two readers; the queue holds one value at first. A data race if two threads could use a slot at once.
//
// 16 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 36 with the failures of readers that find the queue empty then
// and give up ("mpmc-queue-2r1w, last failures"), which need not be recognised. 152 with all that find another value ("mpmc-queue-2r1w,
// failures"). CDSChecker: 2,375 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 1, .readers = 2}, true); }
