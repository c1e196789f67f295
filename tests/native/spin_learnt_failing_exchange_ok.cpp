// EXPECT: verified 8..
// EXPECT (O2): verified 8
// A compare-exchange that waits and fails may read what another one that waits has taken.
// The first thread waits for 1 and makes it 3; the second for anything but 0, which it never replaces: it reads the 1 or the 3. The
// others only make more executions, so that something is learnt: the load of `other` reads 0 or 1, that of `more` too, 4 ways.
#include <atomic>
#include <thread>

std::atomic<int> value, more, other;

int main() {
  std::thread one([] {
    for (int expected = 1; !value.compare_exchange_strong(expected, 3, std::memory_order_relaxed); expected = 1) {
    }
  });
  std::thread two([] {
    for (int expected = 5; !value.compare_exchange_strong(expected, 6, std::memory_order_relaxed) && expected == 0; expected = 5) {
    }
  });
  std::thread three([] { value.store(1, std::memory_order_relaxed); });
  std::thread four([] {
    more.store(1, std::memory_order_relaxed);
    other.store(1, std::memory_order_relaxed);
  });
  std::thread five([] {
    more.load(std::memory_order_relaxed);
    other.load(std::memory_order_relaxed);
  });
  one.join();
  two.join();
  three.join();
  four.join();
  five.join();
}
