// EXPECT: bounded --executions 10
// BLOCKED: 0
// OPTIONS: --executions 10
// SHOWS: no bug in 10 execution classes
// SHOWS: explored: all execution classes without spurious failures, 6, and 4 with such failures (0 blocked)
// Three increments of x have 3! = 6 orders, and nothing else differs as long as no compare-exchange fails without reason. That can happen any number of times in the
// last thread, each time a behaviour of its own, for it counts: depth first, one order of the increments would have been all that is explored.
#include <atomic>
#include <thread>

std::atomic<int> x, y, tries;

int main() {
  std::thread a([] { x.fetch_add(1); });
  std::thread b([] { x.fetch_add(1); });
  std::thread c([] {
    x.fetch_add(1);
    int expected = 0;
    do {
      tries.fetch_add(1);
    } while (!y.compare_exchange_weak(expected, 1));
  });
  a.join();
  b.join();
  c.join();
}
