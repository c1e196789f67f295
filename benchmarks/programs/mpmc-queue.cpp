// EXPECT: verified 90..
// EXPECT (O2): verified 90..228
// CDSChecker's driver: two threads write once and then read until the queue is empty; it holds one value at first. A data
// race if two threads could use a slot at once.
//
// 90 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 228 with the failures of readers that find the queue empty then
// and give up ("mpmc-queue, last failures"), which need not be recognised. 2,768 with all that find another value ("mpmc-queue,
// failures"). CDSChecker: 13,028 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.both = 2}, true); }
