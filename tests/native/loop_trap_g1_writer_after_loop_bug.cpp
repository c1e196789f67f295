// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap G1 of waiting loops: whether a turn can be left out must not depend on what the search has seen of others so far.
//
// before = 1, after = 1: stores of 1, 2 and 1 in this order, so that the loop takes one turn in vain. b writes only after it has seen that
// the loop has ended (relaxed: its store may still come between those of a). A rule that asks whether anybody else writes there in the
// execution at hand says no: a is stopped after the turn in vain, never sets `ended`, and so b never becomes a writer.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state, done, ended;
int before, after;

int main() {
  std::thread a([] {
    state.store(1, std::memory_order_relaxed);
    while (done.load(std::memory_order_relaxed) == 0) state.store(1, std::memory_order_relaxed);
    ended.store(1, std::memory_order_relaxed);
  });
  std::thread b([] {
    done.store(1, std::memory_order_relaxed);
    if (ended.load(std::memory_order_relaxed) == 0) return;
    before = state.load(std::memory_order_relaxed);
    state.store(2, std::memory_order_relaxed);
    after = state.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(!(before == 1 && after == 1));  // BUG
}
