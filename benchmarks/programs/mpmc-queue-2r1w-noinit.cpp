// EXPECT: verified 5..
// EXPECT (O2): verified 5..7
// One writer, two readers; the queue is empty at first. A data race if two threads could use a slot at once.
//
// 5 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 7 with those that fail because the value was another one
// ("mpmc-queue-2r1w-noinit, failures"). How many of them are recognised depends on the compiler. CDSChecker: 31 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 1, .readers = 2}, false); }
