// EXPECT: verified 30..
// EXPECT (O2): verified 30..70
// As mpmc-queue, on an empty queue. A data race if two threads could use a slot at once.
//
// 30 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 70 with the failures of readers that find the queue empty then
// and give up ("mpmc-queue-noinit, last failures"), which need not be recognised. 424 with all that find another value
// ("mpmc-queue-noinit, failures"). CDSChecker: 1,543 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.both = 2}, false); }
