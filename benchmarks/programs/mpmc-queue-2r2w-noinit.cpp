// EXPECT: verified 1064..
// Two writers, two readers; the queue is empty at first. A data race if two threads could use a slot at once.
//
// 1,064 classes at best, by brute force (README.md): a compare-exchange that failed without reason is a turn that
// changed nothing. Turns that are not recognised add some. CDSChecker: not finished in a minute.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 2, .readers = 2}, false); }
