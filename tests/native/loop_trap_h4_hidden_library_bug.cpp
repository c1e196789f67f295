// EXPECT: bug assertion gave_up
// LEVELS: O0 O1 O2 O3
// Trap H1 with code of the C++ library, which is never instrumented: std::list::splice moves a node from one list to the other in each turn, by pointers that
// the library writes. The thread gives up when there is none left.
#include <atomic>
#include <cassert>
#include <list>
#include <thread>

std::atomic<int> flag;
int gave_up;
std::list<int> fresh{1, 2, 3}, used;

int main() {
  std::thread a([] {
    while (flag.load(std::memory_order_relaxed) == 0) {
      if (fresh.begin() == fresh.end()) {
        gave_up = 1;
        return;
      }
      used.splice(used.end(), fresh, fresh.begin());
    }
  });
  std::thread b([] { flag.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
  assert(!gave_up);  // BUG
}
