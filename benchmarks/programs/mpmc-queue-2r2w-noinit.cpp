// EXPECT: verified 64..
// EXPECT (O2): verified 64..124
// Two writers, two readers; the queue is empty at first. A data race if two threads could use a slot at once.
//
// 64 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 124 with the failures of readers that find the queue empty then
// and give up ("mpmc-queue-2r2w-noinit, last failures"), which need not be recognised. 1,064 with all that find another value
// ("mpmc-queue-2r2w-noinit, failures"). CDSChecker: not finished in a minute.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 2, .readers = 2}, false); }
