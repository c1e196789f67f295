// EXPECT: verified 10
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Two threads enter a section once each, under a mutex as futexes make it: 0 free, 1 locked, 2 locked and somebody may wait. Instead of
// the system call there is a loop that waits while the value is 2.
//
// 10 classes, and by the reference of the rules: 5 for each order of the sections. The second thread's compare-exchange reads 0 after the
// first one's unlock; or it reads 1, and its exchange reads 0 after the unlock; or its exchange reads 1 too, so that the unlock
// subtracts from 2, leaving 1, and stores 0. Then the wait ends with the 0; or with the 1, and the next exchange reads 0; or that exchange
// reads 1 once more, and the next wait and exchange read 0. Waiting turns, which read 2, leave nothing behind.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state;
int counter;

void enter() {
  int seen = 0;
  if (!state.compare_exchange_strong(seen, 1, std::memory_order_acquire, std::memory_order_relaxed)) {
    if (seen != 2) seen = state.exchange(2, std::memory_order_acquire);
    while (seen != 0) {
      while (state.load(std::memory_order_relaxed) == 2) {
      }
      seen = state.exchange(2, std::memory_order_acquire);
    }
  }
  ++counter;
  if (state.fetch_sub(1, std::memory_order_release) != 1) state.store(0, std::memory_order_release);
}

int main() {
  std::thread a(enter), b(enter);
  a.join();
  b.join();
  assert(counter == 2);
}
