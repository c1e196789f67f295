// EXPECT: verified 40..
// Two writers, one reader; the queue is empty at first. A data race if two threads could use a slot at once.
//
// 40 classes at best, by brute force (README.md): a compare-exchange that failed without reason is a turn that changed
// nothing. Turns that are not recognised add some. CDSChecker: 1,329 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 2, .readers = 1}, false); }
