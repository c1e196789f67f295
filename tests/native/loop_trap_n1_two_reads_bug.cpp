// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap N1 of counted loops: a turn reads two places.
//
// first = 0, second = 1 in the last turn: the turn before it read 0 and 0. A rule for counted turns says that a turn might as well have
// read what the next one read, and keeps only executions in which both read alike; that is right for one read a turn. Here a turn that
// reads 0 and then, acquiring, 1 is followed by one that must read 1 and 1.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, y;
int last_x, last_y;

int main() {
  std::thread a([] {
    int first = 0, second = 0;
    for (int i = 0; i < 2; ++i) {
      first = x.load(std::memory_order_relaxed);
      second = y.load(std::memory_order_acquire);
    }
    last_x = first;
    last_y = second;
  });
  std::thread b([] {
    x.store(1, std::memory_order_relaxed);
    y.store(1, std::memory_order_release);
  });
  a.join();
  b.join();
  assert(!(last_x == 0 && last_y == 1));  // BUG
}
