// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap S2 of waiting loops: the first store releases, the one that a turn repeats does not.
//
// got = 1, seen = 0: the reader acquires from the repeated store, which is relaxed and (since C++20) no part of the release sequence of
// the first. A rule that forgets orders says the repeated store writes what is there already, and leaves the turn out; what is left
// is the first store, and whoever reads 1 from that sees the data.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> data, state, done;
int got, seen;

int main() {
  std::thread a([] {
    data.store(1, std::memory_order_relaxed);
    state.store(1, std::memory_order_release);
    while (done.load(std::memory_order_relaxed) == 0) state.store(1, std::memory_order_relaxed);
  });
  std::thread b([] { done.store(1, std::memory_order_relaxed); });
  std::thread c([] {
    got = state.load(std::memory_order_acquire);
    seen = data.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  c.join();
  assert(!(got == 1 && seen == 0));  // BUG
}
