// EXPECT: bug assertion gave_up
// LEVELS: O0 O2
// Trap H1: a turn that changes memory unseen.
//
// Each futile look is counted by a function that is not instrumented, in a variable that nothing else accesses. Registers, stack and all memory
// that the runtime has seen written are as they were a turn before, and still the thread gives up at the third look. A rule for waiting loops that trusts what it has seen
// stops the thread at the second.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag;
int gave_up;

__attribute__((noinline, no_sanitize("thread"))) int count() {
  static int looks;
  return ++looks;
}

int main() {
  std::thread a([] {
    while (flag.load(std::memory_order_relaxed) == 0)
      if (count() == 3) {
        gave_up = 1;
        return;
      }
  });
  std::thread b([] { flag.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
  assert(!gave_up);  // BUG
}
