// EXPECT: verified 2768..
// CDSChecker's driver: two threads write once and then read until the queue is empty; it holds one value at first. A data
// race if two threads could use a slot at once.
//
// 2,768 classes at best, by brute force (README.md): a compare-exchange that failed without reason is a turn that
// changed nothing. Turns that are not recognised add some. CDSChecker: 13,028 feasible executions.
#include "mpmc_threads.h"

int main() { mpmc::run({.both = 2}, true); }
