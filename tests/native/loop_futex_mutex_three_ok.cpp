// EXPECT: verified 888
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// PENDING (clang O0): some failed turns are left, 1,194 classes
// Three threads enter a section once each, under a mutex as futexes make it: 0 free, 1 locked, 2 locked and somebody may wait. Instead of
// the system call there is a loop that waits while the value is 2.
//
// 888 classes, by the reference of the rules, where both exchanges are one instruction: they are the same operation, and lead to the same.
// (1,812 if the second never takes the place of the first.) loop_futex_mutex_two_ok.cpp derives the 10 of two threads.
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
  std::thread a(enter), b(enter), c(enter);
  a.join();
  b.join();
  c.join();
  assert(counter == 3);
}
