// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap D1 of waiting loops: the thread is stopped, not the execution.
//
// The loop reads 0 first, since b has not run; the turn is in vain. If the execution is given up then and there, b's store never comes to
// revisit the load, and no execution ends. There is one class, in which the loop reads 1.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;
int last;

int main() {
  std::thread a([] {
    int read;
    while ((read = x.load(std::memory_order_relaxed)) == 0) {
    }
    last = read;
  });
  std::thread b([] { x.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
  assert(last != 1);  // BUG
}
