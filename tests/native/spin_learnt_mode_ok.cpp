// EXPECT: verified 28
// What threads wait for depends on memory that is the same in all turns, but not in all executions. What is read in vain in one
// mode is not in the other.
// If 1 is wanted, each of the three waiters reads 1 or 2, and then once more: 1 or 2 if it was 1, else 2. 3³ classes. If 2 is wanted, all
// of them read 2, twice: 1 class.
#include <ordeal/ordeal.h>

#include <atomic>
#include <thread>

std::atomic<int> step;
int wanted;

void wait() {
  while (step.load(std::memory_order_acquire) < wanted) {
  }
  step.load(std::memory_order_relaxed);
}

int main() {
  wanted = 2 - static_cast<int>(ordeal_choose(2));
  std::thread one(wait), two(wait), three(wait);
  step.store(1, std::memory_order_release);
  step.store(2, std::memory_order_release);
  one.join();
  two.join();
  three.join();
}
