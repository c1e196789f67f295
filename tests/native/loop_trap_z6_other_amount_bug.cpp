// EXPECT: bug assertion
// LEVELS: O0 O1 O2 O3
// Trap Z6 of turns that take something and give it back: they give back more than they took.
//
// x = 3 in the end: t1 has made a turn in which x grows by 1. (In the other case it gives back what it took, so that the search knows the thread's pairs.)
#include <ordeal/ordeal.h>
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

/// Takes 1 if there is one.
void take(int given_back) {
  while (x.fetch_sub(1, std::memory_order_relaxed) < 1) {
    x.fetch_add(given_back, std::memory_order_relaxed);
    while (x.load(std::memory_order_relaxed) < 1) {
    }
  }
}

/// So that the search looks at x from its first execution on.
void begin() {
  for (int i = 0; i < 2; ++i) x.fetch_add(-1), x.fetch_add(1);
}

int main() {
  std::thread(begin).join();
  const int given_back = ordeal_choose(2) == 0 ? 1 : 2;
  std::thread t1([=] { take(given_back); });
  std::thread t2([] { x.fetch_add(3, std::memory_order_relaxed); });
  t1.join();
  t2.join();
  assert(x.load(std::memory_order_relaxed) == 2);  // BUG
}
