// EXPECT: verified 58496..
// LONG: ten seconds with Clang
// Two writers, two readers; the queue holds one value at first.
// A data race if two threads could use a slot at once.
//
// 58,496 classes at best, by brute force (README.md; 5 minutes): a compare-exchange that failed without reason is a
// turn that changed nothing. Turns that are not recognised add some. CDSChecker: not finished in a minute.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 2, .readers = 2}, true); }
