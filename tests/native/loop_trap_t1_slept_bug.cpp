// EXPECT: bug assertion gave_up
// LEVELS: O0 O2
// Trap T1: a number that grows like the clock, and is none.
//
// Between two looks the thread sleeps a millisecond, and adds it up. Of a word that has grown by as much as the clock one may believe that it is a
// time, which does not keep two turns from being the same; but this sum decides when the thread gives up.
#include <time.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag;
int gave_up;

int main() {
  std::thread a([] {
    for (long slept = 0; flag.load(std::memory_order_relaxed) == 0;) {
      const timespec pause{0, 1'000'000};
      nanosleep(&pause, nullptr);
      slept += pause.tv_nsec;
      if (slept == 3'000'000) {
        gave_up = 1;
        return;
      }
    }
  });
  std::thread b([] { flag.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
  assert(!gave_up);  // BUG
}
