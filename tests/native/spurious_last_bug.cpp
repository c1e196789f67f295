// EXPECT: bug assertion first
// OPTIONS: --executions 50
// The third thread is the first to increment x in two of the 3! = 6 orders. No spurious failure is needed for that, and there is no end of executions with such failures
// in the other orders (spurious_last_bounded.cpp): the bug comes before those.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, y, tries;
int first;

int main() {
  std::thread a([] { x.fetch_add(1); });
  std::thread b([] { x.fetch_add(1); });
  std::thread c([] {
    first = x.fetch_add(1);
    int expected = 0;
    do {
      tries.fetch_add(1);
    } while (!y.compare_exchange_weak(expected, 1));
  });
  a.join();
  b.join();
  c.join();
  assert(first != 0);  // BUG
}
