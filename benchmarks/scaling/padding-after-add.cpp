// EXPECT: verified 15000
// BLOCKED: 0
// padding-after-add: as padding-after, but the writers increment, so that their order counts: 4! · 5^4 = 15,000 classes for every N (padding.h).
#include "padding.h"

int main() {
  run_threads<kThreads>([](int thread) {
    add_or_load(thread);
    pad(thread);
  });
}
