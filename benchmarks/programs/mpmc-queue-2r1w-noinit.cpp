// EXPECT: verified 7..
// One writer, two readers; the queue is empty at first. A data race if two threads could use a slot at once.
//
// 7 classes at best, by brute force (README.md): a compare-exchange that failed without reason is a turn that changed
// nothing. Turns that are not recognised add some. CDSChecker: 31 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 1, .readers = 2}, false); }
