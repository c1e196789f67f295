// EXPECT: verified 284..
// EXPECT (O2): verified 284..708
// LONG: ten seconds with Clang
// Two writers, two readers; the queue holds one value at first.
// A data race if two threads could use a slot at once.
//
// 284 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 708 with the failures of readers that find the queue empty then
// and give up ("mpmc-queue-2r2w, last failures"), which need not be recognised. 58,496 with all that find another value
// ("mpmc-queue-2r2w, failures"; 5 minutes). CDSChecker: not finished in a minute.
#include "mpmc_threads.h"

int main() { mpmc::run({.writers = 2, .readers = 2}, true); }
