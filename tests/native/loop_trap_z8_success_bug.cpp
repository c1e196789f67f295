// EXPECT: bug assertion
// LEVELS: O1 O2 O3
// Trap Z8 of turns that take something and give it back: a compare-exchange succeeds if there is no turn, and fails if it reads the value between.
//
// It waits for what follows the turn, so no execution that is explored has the failure if the turn is left out: it must be tried out what it would do with another
// value also where it succeeds. (In the first execution t1 makes a turn, so the search knows the thread's pairs before it comes to the bug.)
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, done;
bool succeeded;

/// Until there is much. A turn in vain takes something, gives it back, and waits.
void poll(std::atomic<int>& done) {
  while (x.load(std::memory_order_relaxed) < 5) {
    x.fetch_sub(1, std::memory_order_relaxed);
    x.fetch_add(1, std::memory_order_relaxed);
    while (x.load(std::memory_order_relaxed) < 5) {
    }
  }
  done.store(1, std::memory_order_relaxed);
}

/// So that the search looks at x from its first execution on.
void begin() {
  for (int i = 0; i < 2; ++i) x.fetch_add(-1), x.fetch_add(1);
}

int main() {
  std::thread(begin).join();
  std::thread t1([] { poll(done); });
  std::thread t2([] {
    x.fetch_add(10, std::memory_order_relaxed);
    while (done.load(std::memory_order_relaxed) == 0) {
    }
    int expected = 10;
    succeeded = x.compare_exchange_strong(expected, 20, std::memory_order_relaxed);
  });
  t1.join();
  t2.join();
  assert(succeeded);  // BUG
}
