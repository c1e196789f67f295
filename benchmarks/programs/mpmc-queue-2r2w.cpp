// EXPECT: verified
// LONG: one to two minutes
// Two writers, two readers; the queue holds one value at first.
// A data race if two threads could use a slot at once.
//
// 58,496 classes at best, by brute force (README.md; 5 minutes): a compare-exchange that failed without reason is a turn that
// changed nothing. 228,992 with GCC, 1,170,432 with Clang, -O2, where some turns are not recognised. CDSChecker: not finished in
// a minute.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 2, .readers = 2}, true); }
