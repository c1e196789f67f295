// EXPECT: verified 625
// BLOCKED: 0
// padding-after: one contended access, then N that nobody contends for, in each of 8 threads. They are run again in each execution.
// 5^4 = 625 classes for every N (padding.h). Published: 15,000 executions of a program that is not; 4! · 5^4 fits this one, if the order
// of the blind stores counts, and so do the numbers of events.
#include "padding.h"

int main() {
  run_threads<kThreads>([](int thread) {
    store_or_load(thread);
    pad(thread);
  });
}
