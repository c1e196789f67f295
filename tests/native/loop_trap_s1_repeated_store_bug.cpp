// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap S1 of waiting loops: a turn repeats a store, and another thread writes there, too.
//
// first = 1, second = 2 and 1 at the end need two stores of 1, one before the 2 and one after it: the loop takes one turn in vain. A
// rule that takes a repeated store for no effect, because the thread's own previous store had the same value, leaves that turn out,
// and then there is one store of 1, before the 2 or after it.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state, done;
int first, second;

int main() {
  std::thread a([] {
    state.store(1, std::memory_order_relaxed);
    while (done.load(std::memory_order_relaxed) == 0) state.store(1, std::memory_order_relaxed);
  });
  std::thread b([] {
    state.store(2, std::memory_order_relaxed);
    done.store(1, std::memory_order_relaxed);
  });
  std::thread c([] {
    first = state.load(std::memory_order_relaxed);
    second = state.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  c.join();
  assert(!(first == 1 && second == 2 && state.load(std::memory_order_relaxed) == 1));  // BUG
}
