// EXPECT: verified 15000
// BLOCKED: 0
// padding-before: N accesses that nobody contends for before one contended access, in each of 8 threads. Executions share them.
// 4! · 5^4 = 15,000 classes for every N (padding.h). Published: 15,000, with four blind stores and four loads; those are 625 classes
// here (wr.cpp), so the stores are increments.
#include "padding.h"

int main() {
  run_threads<kThreads>([](int thread) {
    pad(thread);
    contend(thread);
  });
}
