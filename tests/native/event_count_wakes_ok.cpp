// EXPECT: verified 24..27
// As event_count_ok.cpp, with waits that end without reason, one for a thread.
//
// 24 classes, by brute force (benchmarks/programs/brute_force, "spsc-queue, all turns"). 3 more if it counts that the thread was notified
// just before it left, which is the same as being woken: one for each of the three ways to fall asleep.
#include "parts/event_count.h"

int main() { run_once(); }
