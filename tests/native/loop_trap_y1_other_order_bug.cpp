// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap Y1 of waiting loops: the first try and the ones after it are different code, and do not synchronise alike.
//
// seen = 0: b's first try reads 1, the next one reads the 0 of a, relaxed: nothing orders a's store to `data` before b's load. Had the first try read that 0, it
// would have acquired. So the first try cannot take the place of the other.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state{1}, data;
int seen;

int main() {
  std::thread a([] {
    data.store(1, std::memory_order_relaxed);
    state.store(0, std::memory_order_release);
  });
  std::thread b([] {
    if (state.exchange(1, std::memory_order_acquire) != 0) {
      while (state.exchange(1, std::memory_order_relaxed) != 0) {
      }
    }
    seen = data.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(seen == 1);  // BUG
}
