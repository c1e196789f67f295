// EXPECT: verified 90..
// EXPECT (O2): verified 90..2768
// CDSChecker's driver: two threads write once and then read until the queue is empty; it holds one value at first. A data
// race if two threads could use a slot at once.
//
// 90 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 2,768 with those that fail because the value was another one
// ("mpmc-queue, failures"). How many of them are recognised depends on the compiler. CDSChecker: 13,028 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.both = 2}, true); }
