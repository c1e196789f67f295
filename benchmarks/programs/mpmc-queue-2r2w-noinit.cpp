// EXPECT: verified 64..
// EXPECT (O2): verified 64..1064
// Two writers, two readers; the queue is empty at first. A data race if two threads could use a slot at once.
//
// 64 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 1,064 with those that fail because the value was another one
// ("mpmc-queue-2r2w-noinit, failures"). How many of them are recognised depends on the compiler. CDSChecker: not finished in a minute.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 2, .readers = 2}, false); }
