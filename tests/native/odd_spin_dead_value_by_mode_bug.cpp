// EXPECT: bug assertion turns == 0
// How often the thread went round matters in one mode only. What is learnt in the other, that a turn in vain leaves nothing
// behind, must not be used in this one.
#include <ordeal/ordeal.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag;
bool counts;
int turns;

int main() {
  counts = ordeal_choose(2) == 1;
  std::thread waiter([] {
    int round = 0;
    while (flag.load(std::memory_order_acquire) == 0)
      if (round < 2) ++round;
    turns = counts ? round : 0;
    flag.load(std::memory_order_relaxed);
  });
  flag.store(1, std::memory_order_release);
  waiter.join();
  assert(turns == 0);  // BUG
}
