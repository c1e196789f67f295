// EXPECT: bug data-race data
// LEVELS: O0 O2
//
// A thread looks at `data` while the flag is not set, and is stopped there. What it has read last, the 0, is older than the 1, and would not be revisited: a dead end (src/explore/dead_ends.h). But
// the access behind that read is in a race with what main does later, when the other thread has ended; a thread that has read the 1 does not make it.
#include <atomic>
#include <thread>

std::atomic<int> flag{0}, other{0};
int data = 0;

int main() {
  std::thread looks([] {
    while (flag.load(std::memory_order_relaxed) == 0) {
      int seen = data;  // BUG
      asm volatile("" ::"r"(seen));
    }
  });
  std::thread ends([] { other.store(1); });
  flag.store(1, std::memory_order_relaxed);
  ends.join();
  data = 7;  // BUG
  looks.join();
}
