// EXPECT: verified 2
// A waiting loop that stores, the same each time (repeated_stores.h). Nobody reads what it stores, so a second turn differs in nothing from
// the first: the thread leaves the loop at once, or after one turn.
#include <atomic>
#include <thread>

std::atomic<int> go, waiting;

int main() {
  std::thread waiter([] {
    while (go.load(std::memory_order_relaxed) != 1) waiting.store(1, std::memory_order_relaxed);
  });
  go.store(1, std::memory_order_relaxed);
  waiter.join();
}
