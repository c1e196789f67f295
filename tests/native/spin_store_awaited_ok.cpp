// EXPECT: verified 1
// What the loop stores is waited for: the first turn cannot be left out, and there is no execution without it.
#include <atomic>
#include <thread>

std::atomic<int> go, waiting;

int main() {
  std::thread waiter([] {
    while (go.load(std::memory_order_relaxed) != 1) waiting.store(1, std::memory_order_relaxed);
  });
  while (waiting.load(std::memory_order_relaxed) != 1) {
  }
  go.store(1, std::memory_order_relaxed);
  waiter.join();
}
