// EXPECT: bug assertion gave_up
// LEVELS: O0 O2
// Trap H6: a function that announces itself, but not what it writes.
//
// That is what Clang makes of no_sanitize("thread"), if the function calls another one. Its writes are as hidden as those of H1.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag;
int looks, gave_up;

__attribute__((noinline)) void nothing() { asm volatile(""); }
__attribute__((noinline, no_sanitize("thread"))) void count(int* at) {
  nothing();
  ++*at;
}

int main() {
  std::thread a([] {
    while (flag.load(std::memory_order_relaxed) == 0) {
      count(&looks);
      if (looks == 3) {
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
