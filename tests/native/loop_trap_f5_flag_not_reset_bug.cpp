// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap of waiting loops: nobody else reads the flag while the thread runs, but a turn in vain does not reset it. Who has joined the thread sees whether there was one.
//
// Nothing but the flag differs after the turn.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready, state;

int main() {
  std::thread a([] {
    for (;;) {
      const int other = state.load(std::memory_order_relaxed) / 2 * 2;
      state.store(other + 1, std::memory_order_relaxed);
      state.store(other, std::memory_order_relaxed);
      if (ready.load(std::memory_order_relaxed) != 0) break;
      if (other == 4) continue;  // from then on a turn changes nothing
      state.store(other + 2, std::memory_order_relaxed);
    }
  });
  std::thread b([] { ready.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
  assert(state.load() != 4);  // BUG
}
