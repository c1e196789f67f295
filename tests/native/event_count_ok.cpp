// EXPECT: verified 9
// OPTIONS: --no-spurious
// BLOCKED: 0
// The event count of benchmarks/programs/spsc_queue.h: a thread sleeps until there is something. Turns are counted, so that none may
// be left out.
//
// 9 classes, derived in benchmarks/programs/spsc-queue.cpp and by brute force ("spsc-queue, no wake-up"). It never sleeps twice:
// event_count_bug.cpp is the same with waits that end without reason.
#include "parts/event_count.h"

int main() {
  run_once();
  assert(sleeps <= 1);
}
